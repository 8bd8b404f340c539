import { type Clock, type Random } from "@/events/core/clock";
import {
  clientIdsOf,
  divide,
  dependsOnMore,
  inEvents,
  pendingEdit,
  type PendingEdit,
} from "@/events/crdt/updates/pending-edit";
import { type OutboxBox } from "@/events/device/outbox";
import { type Remade } from "@/events/crdt/updates/rebase/client-rebase";
import { type Range } from "@/events/crdt/updates/yjs-update";
import { HeldEdits } from "../composing/held-edits";
import { DeferredDeletions } from "./deferred-deletions";
import { buildBatch, type EditBatch } from "../device/edit-batch";
import { EditBatches } from "./edit-batches";
import { type DraftEdit } from "../device/draft-document";
import { type Leftovers, textOf } from "../device/leftovers";
import { type WritableEdits } from "../log/log-writer";
import { type DeviceAnswer, type MirrorAmounts } from "../device/outbox-mirror";
import { type Composition } from "../device/page-view";
import { OwnClocks } from "../device/own-clocks";
import { type OwnEdits } from "../log/own-edits";
import { amountsOf, type PendingAmounts } from "../device/pending-amounts";
import { PendingRecords } from "../device/pending-records";
import { eventBytes, UnbatchedEdits } from "../device/unbatched-edits";
import { UnplacedEdits } from "./unplaced-edits";

/** As many as are built into one event without making anybody wait. */
const eventEdits = 1_000;

type Input = {
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  schemaVersion: number;
  /** How far the log goes under a client id. */
  clockOf(client: number): number;
  /** Whether the log has bound a client id to this person. */
  isOwn(client: number): boolean;
  /** Something new to send was written under these Yjs client ids. */
  added(clients: readonly number[]): void;
  /** The same of what is not to be sent yet, because it is still being composed. */
  held(clients: readonly number[]): void;
  /** Hears what the device did with what was written last. */
  stored(answer: DeviceAnswer): void;
};

/**
 * The second stage of a keystroke: one's own edits between the keyboard and the log's
 * acknowledgement, mirrored on the device. The writer takes them when the machine says so, the page
 * shows them in addition to the log.
 */
export class PendingEdits implements OwnEdits, WritableEdits {
  private readonly unbatched: UnbatchedEdits;
  private readonly held: HeldEdits;
  private readonly built = new EditBatches();
  /** What cannot be sent. */
  readonly unplaced = new UnplacedEdits();
  private readonly deferrals = new DeferredDeletions();
  private readonly own = new OwnClocks();
  private readonly input: Input;
  private readonly records: PendingRecords;
  /** The edits that an earlier tab left in no batch. */
  private readonly inherited = new Set<string>();

  constructor(input: Input) {
    this.input = input;
    this.records = new PendingRecords(input);
    this.unbatched = new UnbatchedEdits(this.records, this.own);
    this.held = new HeldEdits(this.unbatched);
  }

  /** What has been built of them, in the order in which it is sent. */
  get batches(): readonly EditBatch[] {
    return this.built.list;
  }

  /** Whether the device has everything that the log does not have yet. */
  get isStored(): boolean {
    return this.records.isComplete;
  }

  /** The text of what the log does not have. */
  get text(): string {
    return textOf({
      edits: [...this.unplaced.orphaned, ...this.unbatched.list],
      events: this.built.list,
      unreadable: this.unplaced.unreadable,
    });
  }

  /** The edits that the log has not acknowledged, in order. */
  get unacknowledged(): PendingEdit[] {
    return [...this.built.edits, ...this.unbatched.list];
  }

  /** How many they are. */
  get count(): number {
    return this.unbatched.list.length + this.built.count;
  }

  /** Which Yjs client ids the log is still to hear from, as far as this tab is concerned. */
  get clients(): number[] {
    return clientIdsOf(this.unacknowledged);
  }

  get amounts(): PendingAmounts {
    return amountsOf({
      edits: this.unbatched.list,
      batches: this.batches,
      unplaced: this.unplaced,
      deferredDeletions: this.deferrals.count,
    });
  }

  get mirrorAmounts(): MirrorAmounts {
    return this.records.amounts;
  }

  /**
   * Takes in what was just typed; where it depends on more than the log and one's own edits, the
   * others' unlogged updates are kept along with it. What belongs to a composition is held until
   * `release`.
   */
  add(
    update: Uint8Array,
    unlogged: () => readonly Pick<PendingEdit, "update">[],
    composition: Composition | null = null,
  ): void {
    const time = Math.max(this.input.clock.now(), this.unbatched.list.at(-1)?.time ?? 0);
    const known = (client: number) => Math.max(this.input.clockOf(client), this.own.of(client));
    let hasDependency = false;
    const edits = this.unbatched.split(update, time);
    for (const edit of edits) {
      hasDependency ||= dependsOnMore(edit.inspected, known);
      this.unbatched.add(edit);
      if (composition) this.held.hold(edit, composition);
    }
    if (hasDependency) this.records.putDependencies(unlogged());
    if (this.held.isEmpty) this.input.added(clientIdsOf(edits));
    else this.input.held(clientIdsOf(edits));
  }

  /**
   * What is composed has been committed, or must not wait any longer: it becomes one edit, which
   * may be sent. Without a composition, all that is held.
   */
  release(composition?: Composition): void {
    if (this.held.isEmpty) return;
    this.held.release(composition);
    this.input.added([]);
  }

  /** The edits that wait for a composition to end. */
  get waitingForComposition(): readonly PendingEdit[] {
    return this.held.waiting();
  }

  /** Takes over what this tab wrote and kept in its box before there was anything to send it. */
  takeOver(edits: readonly DraftEdit[]): void {
    const compositions = new Set<Composition>();
    for (const { record, composition } of edits)
      for (const edit of this.unbatched.takeOver(record)) {
        if (!composition) continue;
        this.held.hold(edit, composition);
        compositions.add(composition);
      }
    for (const composition of compositions)
      if (!composition.isOpen) this.held.release(composition);
      else void composition.ended.then(() => this.release(composition));
  }

  /** Takes over what an earlier tab left. */
  takeOverLeftovers({
    records,
    edits,
    events,
    deferrals,
    dependencies,
    unreadable,
  }: Leftovers): void {
    this.records.takeOver(records, dependencies);
    for (const { key } of edits) this.inherited.add(key);
    this.unplaced.keep(unreadable);
    this.unbatched.addFirst(edits);
    this.built.add(events);
    this.deferrals.add(deferrals);
    for (const edit of [...edits, ...events.flatMap((event) => event.edits)]) this.own.claim(edit);
  }

  /**
   * Builds batches of what depends on the log alone; between two of them `turn` lets others do
   * something, for thousands of edits take a while. Returns which edits had to stay.
   */
  async buildBatches(yieldIfDue: (edits: number) => Promise<unknown>): Promise<PendingEdit[]> {
    this.dropHeld();
    const settled = this.held.settled();
    const { ready, waiting } = divide(settled, (client) => this.input.clockOf(client));
    for (const edits of inEvents(ready, eventBytes, eventEdits)) {
      // Some may have been let go of, made again, or sent at once, while others had their turn.
      if (!this.build(edits)) break;
      await yieldIfDue(edits.length);
    }
    if (this.unbatched.list.length === 0) this.records.dropDependencies();
    return waiting;
  }

  /** Builds batches, in one turn, of what depends on the log and on batches that are built. */
  buildAtOnce(mostBytes: number): void {
    const known = (client: number) =>
      Math.max(this.input.clockOf(client), this.built.clockOf(client));
    const { ready } = divide(this.held.settled(), known);
    for (const edits of inEvents(ready, mostBytes, eventEdits)) if (!this.build(edits)) break;
  }

  /** Whether something that waits could be built now. */
  get mayGoOn(): boolean {
    const [first] = this.held.settled();
    return (
      first !== undefined && !dependsOnMore(first.inspected, (client) => this.input.clockOf(client))
    );
  }

  /** The batches that go into the next append. */
  nextBatches(mostBytes: number): EditBatch[] {
    return this.built.next(mostBytes);
  }

  owns(id: string): boolean {
    return this.built.owns(id);
  }

  /** The log has this event; returns it if it was one of ours. */
  acknowledge(id: string): EditBatch | null {
    const batch = this.built.acknowledge(id);
    if (batch) this.records.remove([batch]);
    return batch;
  }

  /**
   * Takes back what the log has lost: of all that this tab has sent, the edits that `missing` names by their event and
   * their place in it. They stand before what was written since, in no batch, and are kept on the device again.
   */
  recall(missing: (id: string, index: number) => boolean): void {
    this.records.remove(this.batches);
    this.unbatched.putBack(this.built.recall(missing));
  }

  /** Puts edits of a batch back among those that wait, at their front; returns them as they are called there. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[] {
    this.built.release(edits);
    return this.unbatched.putBack(edits);
  }

  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean {
    return this.own.has(client);
  }

  /** Puts other updates, made again under a new client id, in the place of edits that could not be appended. */
  replace(
    replaced: readonly PendingEdit[],
    by: readonly Remade[],
    deferred: readonly Range[],
    deferredUpdate: Uint8Array | null,
  ): void {
    const gone = new Set(replaced.map(({ key }) => key));
    const opened = this.built.takeOut(gone);
    this.records.removeKeys(gone);
    this.records.remove(opened);
    this.unbatched.removeKeys(gone);
    // What was in a batch with something that is gone goes into another one.
    this.unbatched.putBack(
      opened.flatMap(({ edits }) => edits.filter(({ key }) => !gone.has(key))),
    );
    this.unbatched.addRemade(by);
    if (deferredUpdate) {
      const key = this.records.putDeferred(deferredUpdate);
      this.deferrals.add(deferred.map((range) => ({ key, range })));
    }
    this.records.dropDependencies();
  }

  /** Puts edits aside that nobody can place. */
  orphan(edits: readonly PendingEdit[]): void {
    for (const { update, time } of edits) {
      const edit = pendingEdit(this.records.nextKey(), update, time);
      this.unplaced.orphan(edit);
      this.records.putEdit(edit);
    }
  }

  /** Puts those back among the others that depend on nothing lost any more; returns their updates. */
  recover(): Uint8Array[] {
    const ready = this.unplaced.recover((client) => this.input.clockOf(client));
    this.unbatched.addLast(ready);
    return ready.map(({ update }) => update);
  }

  /** Lets go of what is orphaned or cannot be read; the device keeps it all the same, out of the way. */
  forget(): void {
    this.records.setAside(this.unplaced.clear());
  }

  /** Lets go of everything that the log does not have; the device keeps it all the same, out of the way. */
  letGo(): void {
    this.forget();
    this.held.forget();
    const edits = [...this.unbatched.clear(), ...this.built.clear()];
    this.records.setAside(edits.map(({ key }) => key));
    this.records.dropDependencies();
  }

  /** Takes out the deferred deletions that can be made now. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[] {
    const { ranges, keys } = this.deferrals.take(isHeld);
    this.records.removeKeys(keys);
    return ranges;
  }

  /** Makes these edits a batch; false where some of them do not wait any more. */
  private build(edits: PendingEdit[]): boolean {
    if (!this.unbatched.takeOut(edits)) return false;
    const batch = buildBatch(this.records.nextKey(), edits, {
      id: this.input.random.uuid(),
      schema: this.records.schema,
    });
    this.built.add([batch]);
    this.records.putBatch(batch, edits);
    return true;
  }

  /**
   * Lets go of what an earlier tab left and the log holds: sent in that tab's last turn, its device
   * may not have heard under which id.
   */
  private dropHeld(): void {
    if (this.inherited.size === 0) return;
    const held = this.unbatched.list.filter(
      ({ key, inspected: { structs } }) =>
        this.inherited.has(key) &&
        structs.length > 0 &&
        // Under the same name the log may hold what somebody else has written.
        structs.every(
          ({ client, clock, length }) =>
            clock + length <= this.input.clockOf(client) && this.input.isOwn(client),
        ),
    );
    this.unbatched.removeKeys(new Set(held.map(({ key }) => key)));
    this.records.remove(held);
  }

  /** Resolves when the device has what is known now, or has refused it. */
  async stored(): Promise<void> {
    await this.records.write();
  }
}

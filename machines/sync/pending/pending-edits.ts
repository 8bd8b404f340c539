import type { Clock, Random } from "@/events/core/clock";
import {
  clientIdsOf,
  divide,
  dependsOnMore,
  inEvents,
  pendingEdit,
} from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { OutboxBox } from "@/events/device/outbox";
import type { Remade } from "@/events/crdt/updates/rebase/client-rebase";
import type { Range } from "@/events/crdt/updates/yjs-update";
import { HeldEdits } from "../composing/held-edits";
import { DeferredDeletions } from "./deferred-deletions";
import { buildBatch } from "../device/edit-batch";
import type { EditBatch } from "../device/edit-batch";
import { EditBatches } from "./edit-batches";
import type { DraftEdit } from "../device/draft-document";
import { textOf } from "../device/leftovers";
import type { Leftovers } from "../device/leftovers";
import type { WritableEdits } from "../log/log-writer";
import type { DeviceAnswer, MirrorAmounts } from "../device/outbox-mirror";
import type { Composition } from "../device/page-view";
import { OwnClocks } from "../device/own-clocks";
import type { OwnEdits } from "../log/own-edits";
import { amountsOf } from "../device/pending-amounts";
import type { PendingAmounts } from "../device/pending-amounts";
import { PendingRecords } from "../device/pending-records";
import { eventBytes, UnbatchedEdits } from "../device/unbatched-edits";
import { UnplacedEdits } from "./unplaced-edits";

/** Maximum number of edits per event, low enough not to block the page. */
const eventEdits = 1_000;

type Input = {
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  schemaVersion: number;
  /** Returns the log's clock for a client id. */
  clockOf(client: number): number;
  /** Whether the log has bound a client id to this person. */
  isOwn(client: number): boolean;
  /** Called with the Yjs client ids of new edits that may be sent. */
  added(clients: readonly number[]): void;
  /** Called with the Yjs client ids of new edits that wait for a composition. */
  held(clients: readonly number[]): void;
  /** Called with the device's answer to the last write. */
  stored(answer: DeviceAnswer): void;
};

/**
 * The second stage of a keystroke: this tab's edits between the keyboard and the log's
 * acknowledgement, mirrored on the device. The machine decides when the writer sends them, and the
 * page shows them on top of the log.
 */
export class PendingEdits implements OwnEdits, WritableEdits {
  private readonly unbatched: UnbatchedEdits;
  private readonly held: HeldEdits;
  private readonly built = new EditBatches();
  /** Edits that cannot be sent. */
  readonly unplaced = new UnplacedEdits();
  private readonly deferrals = new DeferredDeletions();
  private readonly own = new OwnClocks();
  private readonly input: Input;
  private readonly records: PendingRecords;
  /** The keys of the unbatched edits that an earlier tab left. */
  private readonly inherited = new Set<string>();

  constructor(input: Input) {
    this.input = input;
    this.records = new PendingRecords(input);
    this.unbatched = new UnbatchedEdits(this.records, this.own);
    this.held = new HeldEdits(this.unbatched);
  }

  /** The batches, in the order in which they are sent. */
  get batches(): readonly EditBatch[] {
    return this.built.list;
  }

  /** Whether the device has stored every edit that the log does not have yet. */
  get isStored(): boolean {
    return this.records.isComplete;
  }

  /** The text of the edits that the log does not have. */
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

  /** The number of unacknowledged edits. */
  get count(): number {
    return this.unbatched.list.length + this.built.count;
  }

  /** The Yjs client ids under which this tab still has edits for the log. */
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
   * Adds a typed edit. If it depends on more than the log and own edits, the device stores others'
   * unlogged updates with it. Edits of a composition are held until `release`.
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
   * Joins the edits of a composition that was committed, or must not wait longer, into one edit
   * that may be sent. Without a composition, does so for all held edits.
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

  /** Takes over the edits of a draft, which are already in this tab's box. */
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

  /** Takes over the leftovers of an earlier tab. */
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
   * Builds batches of edits that depend on the log alone. Calls `yieldIfDue` between batches,
   * because thousands of edits take a while. Returns the edits that have to wait.
   */
  async buildBatches(yieldIfDue: (edits: number) => Promise<unknown>): Promise<PendingEdit[]> {
    this.dropHeld();
    const settled = this.held.settled();
    const { ready, waiting } = divide(settled, (client) => this.input.clockOf(client));
    for (const edits of inEvents(ready, eventBytes, eventEdits)) {
      // In another turn, some of these edits may have been dropped, rebased or sent at once.
      if (!this.build(edits)) break;
      await yieldIfDue(edits.length);
    }
    if (this.unbatched.list.length === 0) this.records.dropDependencies();
    return waiting;
  }

  /** Builds batches, in one turn, of edits that depend on the log and on batches already built. */
  buildAtOnce(mostBytes: number): void {
    const known = (client: number) =>
      Math.max(this.input.clockOf(client), this.built.clockOf(client));
    const { ready } = divide(this.held.settled(), known);
    for (const edits of inEvents(ready, mostBytes, eventEdits)) if (!this.build(edits)) break;
  }

  /** Whether a waiting edit could be batched now. */
  get mayGoOn(): boolean {
    const [first] = this.held.settled();
    return (
      first !== undefined && !dependsOnMore(first.inspected, (client) => this.input.clockOf(client))
    );
  }

  /** Returns the batches for the next append. */
  nextBatches(mostBytes: number): EditBatch[] {
    return this.built.next(mostBytes);
  }

  owns(id: string): boolean {
    return this.built.owns(id);
  }

  /**
   * Acknowledges an event that the log holds. Returns its batch, or null if no batch has this id.
   */
  acknowledge(id: string): EditBatch | null {
    const batch = this.built.acknowledge(id);
    if (batch) this.records.remove([batch]);
    return batch;
  }

  /**
   * Recalls edits that the log has lost: of all events that this tab has sent, the edits that
   * `missing` selects by event id and index. They precede later edits, unbatched, and the device
   * stores them again.
   */
  recall(missing: (id: string, index: number) => boolean): void {
    this.records.remove(this.batches);
    this.unbatched.putBack(this.built.recall(missing));
  }

  /**
   * Moves edits of a batch back to the front of the waiting ones. Returns them with their new keys.
   */
  putBack(edits: readonly PendingEdit[]): PendingEdit[] {
    this.built.release(edits);
    return this.unbatched.putBack(edits);
  }

  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean {
    return this.own.has(client);
  }

  /** Replaces edits that could not be appended with updates rebased under a new client id. */
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
    // The remaining edits of an opened batch are sent in another batch.
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

  /** Sets aside edits that cannot be placed. */
  orphan(edits: readonly PendingEdit[]): void {
    for (const { update, time } of edits) {
      const edit = pendingEdit(this.records.nextKey(), update, time);
      this.unplaced.orphan(edit);
      this.records.putEdit(edit);
    }
  }

  /**
   * Moves orphaned edits whose dependencies have arrived to the waiting ones. Returns their
   * updates.
   */
  recover(): Uint8Array[] {
    const ready = this.unplaced.recover((client) => this.input.clockOf(client));
    this.unbatched.addLast(ready);
    return ready.map(({ update }) => update);
  }

  /** Drops orphaned and unreadable edits. The device sets their records aside and keeps them. */
  forget(): void {
    this.records.setAside(this.unplaced.clear());
  }

  /** Drops all edits that the log does not have. The device sets their records aside. */
  letGo(): void {
    this.forget();
    this.held.forget();
    const edits = [...this.unbatched.clear(), ...this.built.clear()];
    this.records.setAside(edits.map(({ key }) => key));
    this.records.dropDependencies();
  }

  /** Removes and returns the deferred deletions whose target is held. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[] {
    const { ranges, keys } = this.deferrals.take(isHeld);
    this.records.removeKeys(keys);
    return ranges;
  }

  /** Builds a batch of these edits. Returns false if some of them no longer wait. */
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
   * Drops an earlier tab's leftovers that the log holds. That tab sent them in its last turn, and
   * the device may not have stored the event id.
   */
  private dropHeld(): void {
    if (this.inherited.size === 0) return;
    const held = this.unbatched.list.filter(
      ({ key, inspected: { structs } }) =>
        this.inherited.has(key) &&
        structs.length > 0 &&
        // Under the same client id, the log may hold another person's text.
        structs.every(
          ({ client, clock, length }) =>
            clock + length <= this.input.clockOf(client) && this.input.isOwn(client),
        ),
    );
    this.unbatched.removeKeys(new Set(held.map(({ key }) => key)));
    this.records.remove(held);
  }

  /** Resolves when the device has stored or refused every record known now. */
  async stored(): Promise<void> {
    await this.records.write();
  }
}

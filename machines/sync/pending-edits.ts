import { type Clock, type Random } from "@/events/core/clock";
import {
  clientIdsOf,
  divide,
  dependsOnMore,
  inEvents,
  pendingEdit,
  type PendingEdit,
} from "@/events/crdt/updates/pending-edit";
import { type OutboxBox, type OutboxRecord } from "@/events/device/outbox";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import { type Remade } from "@/events/crdt/updates/client-rebase";
import { type Range } from "@/events/crdt/updates/yjs-update";
import { DeferredDeletions } from "./deferred-deletions";
import { DependencyUpdates } from "./dependency-updates";
import { buildBatch, type EditBatch } from "./edit-batch";
import { EditBatches } from "./edit-batches";
import { type Leftovers, textOf } from "./leftovers";
import { type WritableEdits } from "./log-writer";
import { type DeviceAnswer, type MirrorAmounts, OutboxMirror } from "./outbox-mirror";
import { type OwnEdits } from "./own-edits";
import { RecordKeys } from "./record-keys";
import { UnplacedEdits } from "./unplaced-edits";

/** Half of what the database takes, so that no packing of the edits can pass it. */
const eventBytes = 256 * 1024;
/** As many as are built into one event without making anybody wait. */
const eventEdits = 1_000;

type Input = {
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  schemaVersion: number;
  /** How far the log goes under a client id. */
  clockOf(client: number): number;
  /** Hears that there is something new to send. */
  /** Something was written under these Yjs client ids. */
  added(clients: readonly number[]): void;
  /** Hears what the device did with what was written last. */
  stored(answer: DeviceAnswer): void;
};

/** How much there is of one's own that the log has not acknowledged. */
export type PendingAmounts = {
  pending: { edits: number; bytes: number };
  batches: { events: number; edits: number; bytes: number };
  orphaned: number;
  unreadable: number;
  deferredDeletions: number;
};

/**
 * The second stage of a keystroke: one's own edits between the keyboard and the log's
 * acknowledgement, mirrored on the device. The writer takes them when the machine says so, the page
 * shows them in addition to the log.
 */
export class PendingEdits implements OwnEdits, WritableEdits {
  private edits: PendingEdit[] = [];
  private readonly built = new EditBatches();
  /** What cannot be sent. */
  readonly unplaced = new UnplacedEdits();
  private readonly deferrals = new DeferredDeletions();
  private readonly dependencies = new DependencyUpdates();
  private readonly input: Input;
  private readonly keys: RecordKeys;
  private readonly mirror: OutboxMirror;
  /** The Yjs client ids that this tab has written under, and how far. */
  private readonly own = new Map<number, number>();

  constructor(input: Input) {
    this.input = input;
    this.mirror = new OutboxMirror(input);
    this.keys = new RecordKeys(input.clock, input.random);
  }

  /** What has been built of them, in the order in which it is sent. */
  get batches(): readonly EditBatch[] {
    return this.built.list;
  }

  /** Whether the device has everything that the log does not have yet. */
  get isStored(): boolean {
    return this.mirror.complete;
  }

  /** The text of what the log does not have. */
  get text(): string {
    return textOf({
      edits: [...this.unplaced.orphaned, ...this.edits],
      events: this.built.list,
      unreadable: this.unplaced.unreadable,
    });
  }

  /** The edits that the log has not acknowledged, in order. */
  get unacknowledged(): PendingEdit[] {
    return [...this.built.edits, ...this.edits];
  }

  /** How many they are. */
  get count(): number {
    return this.edits.length + this.batches.reduce((sum, { edits }) => sum + edits.length, 0);
  }

  /** Which Yjs client ids the log is still to hear from, as far as this tab is concerned. */
  get clients(): number[] {
    return clientIdsOf(this.unacknowledged);
  }

  get amounts(): PendingAmounts {
    const sent = this.built.edits;
    return {
      pending: { edits: this.edits.length, bytes: bytesOf(this.edits) },
      batches: { events: this.batches.length, edits: sent.length, bytes: bytesOf(sent) },
      orphaned: this.unplaced.orphaned.length,
      unreadable: this.unplaced.unreadable.length,
      deferredDeletions: this.deferrals.count,
    };
  }

  get mirrorAmounts(): MirrorAmounts {
    return this.mirror.amounts;
  }

  /**
   * Takes in what was just typed; where it depends on more than the log and one's own edits, the
   * others' unlogged updates are kept along with it.
   */
  add(update: Uint8Array, unlogged: () => readonly Pick<PendingEdit, "update">[]): void {
    const time = Math.max(this.input.clock.now(), this.edits.at(-1)?.time ?? 0);
    const known = (client: number) =>
      Math.max(this.input.clockOf(client), this.own.get(client) ?? 0);
    let hasDependency = false;
    const edits = splitUpdate(update, eventBytes).map((piece) =>
      pendingEdit(this.keys.next(), piece, time),
    );
    for (const edit of edits) {
      hasDependency ||= dependsOnMore(edit.inspected, known);
      this.take(edit);
    }
    if (hasDependency) this.keepDependencies(unlogged());
    this.input.added(clientIdsOf(edits));
  }

  /** Takes over what this tab wrote and kept in its box before there was anything to send it. */
  takeOver(records: Extract<OutboxRecord, { kind: "edit" }>[]): void {
    for (const { key, update, time } of records) {
      const pieces = splitUpdate(update, eventBytes);
      if (pieces.length > 1) this.mirror.remove(key);
      for (const piece of pieces)
        this.take(pendingEdit(pieces.length > 1 ? this.keys.next() : key, piece, time));
    }
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
    this.mirror.found(records);
    this.unplaced.keep(unreadable);
    this.edits = [...edits, ...this.edits];
    this.built.add(events);
    this.deferrals.add(deferrals);
    for (const { key, update } of dependencies) this.dependencies.add(update, key);
    for (const edit of [...edits, ...events.flatMap((event) => event.edits)]) this.claim(edit);
  }

  /**
   * Builds batches of what depends on the log alone; between two of them `turn` lets others do
   * something, for thousands of edits take a while. Returns which edits had to stay.
   */
  async buildBatches(yieldIfDue: (edits: number) => Promise<unknown>): Promise<PendingEdit[]> {
    const { ready, waiting } = divide(this.edits, (client) => this.input.clockOf(client));
    for (const edits of inEvents(ready, eventBytes, eventEdits)) {
      const chosen = new Set(edits);
      const rest = this.edits.filter((edit) => !chosen.has(edit));
      // Some may have been let go of, or made again, while others had their turn.
      if (this.edits.length - rest.length < edits.length) break;
      this.edits = rest;
      const key = this.keys.next();
      const batch = buildBatch(key, edits, {
        id: this.input.random.uuid(),
        schema: this.input.schemaVersion,
      });
      this.built.add([batch]);
      this.mirror.put({ kind: "event", key, proposal: batch.proposal, edits: edits.length });
      for (const edit of edits) this.mirror.remove(edit.key);
      await yieldIfDue(edits.length);
    }
    if (this.edits.length === 0) this.dropDependencies();
    return waiting;
  }

  /** Whether something that waits could be built now. */
  get mayGoOn(): boolean {
    const [first] = this.edits;
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
    if (batch) this.mirror.remove(batch.key);
    return batch;
  }

  /**
   * Takes back what the log has lost: of all that this tab has sent, the edits that `missing` names by their event and
   * their place in it. They stand before what was written since, in no batch, and are kept on the device again.
   */
  recall(missing: (id: string, index: number) => boolean): void {
    for (const { key } of this.batches) this.mirror.remove(key);
    this.putBack(this.built.recall(missing));
  }

  /** Puts edits of a batch back among those that wait, at their front; returns them as they are called there. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[] {
    const back = edits.map((edit) => ({ ...edit, key: this.keys.next() }));
    for (const { key, update, time } of back) this.mirror.put({ kind: "edit", key, update, time });
    this.edits = [...back, ...this.edits];
    return back;
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
    for (const key of [...gone, ...opened.map((batch) => batch.key)]) this.mirror.remove(key);
    this.edits = this.edits.filter(({ key }) => !gone.has(key));
    // What was in a batch with something that is gone goes into another one.
    this.putBack(opened.flatMap(({ edits }) => edits.filter(({ key }) => !gone.has(key))));
    for (const { update, time, inspected } of by) {
      const pieces = splitUpdate(update, eventBytes);
      for (const piece of pieces) {
        const key = this.keys.next();
        this.take(
          pieces.length === 1 ? { key, update, time, inspected } : pendingEdit(key, piece, time),
        );
      }
    }
    if (deferredUpdate) {
      const key = this.keys.next();
      this.deferrals.add(deferred.map((range) => ({ key, range })));
      this.mirror.put({ kind: "deferred", key, update: deferredUpdate });
    }
    this.dropDependencies();
  }

  /** Puts edits aside that nobody can place. */
  orphan(edits: readonly PendingEdit[]): void {
    for (const { update, time } of edits) {
      const edit = pendingEdit(this.keys.next(), update, time);
      this.unplaced.orphan(edit);
      this.mirror.put({ kind: "edit", key: edit.key, update, time });
    }
  }

  /** Puts those back among the others that depend on nothing lost any more; returns their updates. */
  recover(): Uint8Array[] {
    const ready = this.unplaced.recover((client) => this.input.clockOf(client));
    this.edits.push(...ready);
    return ready.map(({ update }) => update);
  }

  /** Lets go of what is orphaned or cannot be read; the device keeps it all the same, out of the way. */
  forget(): void {
    for (const key of this.unplaced.clear()) this.mirror.setAside(key);
  }

  /** Lets go of everything that the log does not have; the device keeps it all the same, out of the way. */
  letGo(): void {
    this.forget();
    for (const { key } of [...this.edits, ...this.built.clear()]) this.mirror.setAside(key);
    this.edits = [];
    this.dropDependencies();
  }

  /** Takes out the deferred deletions that can be made now. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[] {
    const { ranges, keys } = this.deferrals.take(isHeld);
    for (const key of keys) this.mirror.remove(key);
    return ranges;
  }

  /** Resolves when the device has what is known now, or has refused it. */
  async stored(): Promise<void> {
    await this.mirror.write();
  }

  private keepDependencies(unlogged: readonly Pick<PendingEdit, "update">[]): void {
    for (const update of this.dependencies.fresh(unlogged)) {
      const key = this.dependencies.add(update, this.keys.next());
      this.mirror.put({ kind: "support", key, update });
    }
  }

  private take(edit: PendingEdit): void {
    this.claim(edit);
    this.edits.push(edit);
    const { key, update, time } = edit;
    this.mirror.put({ kind: "edit", key, update, time });
  }

  private claim({ inspected }: PendingEdit): void {
    for (const { client, clock, length } of inspected.structs)
      this.own.set(client, Math.max(this.own.get(client) ?? 0, clock + length));
  }

  private dropDependencies(): void {
    for (const key of this.dependencies.clear()) this.mirror.remove(key);
  }
}

function bytesOf(edits: readonly PendingEdit[]): number {
  return edits.reduce((sum, { update }) => sum + update.length, 0);
}

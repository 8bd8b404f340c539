import { type Clock, type Random } from "@/events/core/clock";
import {
  clientIdsOf,
  divide,
  dependsOnMore,
  inEvents,
  pendingEdit,
  type PendingEdit,
} from "@/events/crdt/updates/pending-edits";
import { type OutboxBox, type OutboxRecord } from "@/events/device/outbox";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import { type Remade } from "@/events/crdt/updates/client-rebase";
import { type Range } from "@/events/crdt/updates/yjs-update";
import { type Deferral, type Leftovers, textOf } from "./leftovers";
import { type DeviceAnswer, type MirrorAmounts, OutboxMirror } from "./outbox-mirror";
import { SavedEvents } from "./saved-events";
import { sealed, type SealedEvent } from "./edit-batch";
import { SupportingUpdates } from "./dependency-updates";

/** Half of what the database takes, so that no packing of the edits can pass it. */
const eventBytes = 256 * 1024;
/** As many as are sealed without making anybody wait. */
const eventEdits = 1_000;
const batchEvents = 100;

type OutgoingInput = {
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  schemaVersion: number;
  /** Hears what the device did with what was written last. */
  stored(answer: DeviceAnswer): void;
};

/** How much there is of one's own that the log has not acknowledged. */
export type OutgoingAmounts = {
  pending: { edits: number; bytes: number };
  sealed: { events: number; edits: number; bytes: number };
  orphaned: number;
  unreadable: number;
  deferredDeletions: number;
};

/** One's own edits between the keyboard and the log's acknowledgement, mirrored on the device. */
export class OutgoingEdits {
  private edits: PendingEdit[] = [];
  private batches: SealedEvent[] = [];
  private orphanedEdits: PendingEdit[] = [];
  private unreadableRecords: OutboxRecord[] = [];
  private readonly saved = new SavedEvents();
  private deferrals: Deferral[] = [];
  private readonly supports = new SupportingUpdates();
  private readonly input: OutgoingInput;
  private readonly opened: string;
  private readonly mirror: OutboxMirror;
  /** The Yjs client ids that this tab has written under, and how far. */
  private readonly own = new Map<number, number>();
  private sequence = 0;

  constructor(input: OutgoingInput) {
    this.input = input;
    this.mirror = new OutboxMirror(input);
    // Sorts what several tabs leave behind by when they were opened, and keeps it apart.
    this.opened = `${String(input.clock.now()).padStart(15, "0")}.${input.random.uuid().slice(0, 8)}`;
  }

  get pending(): readonly PendingEdit[] {
    return this.edits;
  }

  get sealed(): readonly SealedEvent[] {
    return this.batches;
  }

  /** Edits that depend on what is lost; they are kept until it turns up or their author lets go of them. */
  get orphaned(): readonly PendingEdit[] {
    return this.orphanedEdits;
  }

  /** What an earlier tab left and this page cannot read; it is kept until its author lets go of it, or a page comes that can. */
  get unreadable(): readonly OutboxRecord[] {
    return this.unreadableRecords;
  }

  /** Whether the device has everything that the log does not have yet. */
  get isStored(): boolean {
    return this.mirror.complete;
  }

  /** The text of what the log does not have. */
  get text(): string {
    return textOf({
      edits: [...this.orphanedEdits, ...this.edits],
      events: this.batches,
      unreadable: this.unreadableRecords,
    });
  }

  get deferred(): Range[] {
    return this.deferrals.map(({ range }) => range);
  }

  /** The edits that the log has not acknowledged, in order. */
  get unacknowledged(): PendingEdit[] {
    return [...this.batches.flatMap(({ edits }) => edits), ...this.edits];
  }

  /** How many they are. */
  get count(): number {
    return this.edits.length + this.batches.reduce((sum, { edits }) => sum + edits.length, 0);
  }

  get amounts(): OutgoingAmounts {
    const sent = this.batches.flatMap(({ edits }) => edits);
    return {
      pending: { edits: this.edits.length, bytes: bytesOf(this.edits) },
      sealed: { events: this.batches.length, edits: sent.length, bytes: bytesOf(sent) },
      orphaned: this.orphanedEdits.length,
      unreadable: this.unreadableRecords.length,
      deferredDeletions: this.deferrals.length,
    };
  }

  get mirrorAmounts(): MirrorAmounts {
    return this.mirror.amounts;
  }

  /**
   * Takes in what was just typed. Where it depends on more than the log (`clockOf`) and one's own edits, the others'
   * unlogged updates are kept along with it.
   */
  add(
    update: Uint8Array,
    clockOf: (client: number) => number,
    unlogged: () => readonly Pick<PendingEdit, "update">[],
  ): void {
    const time = Math.max(this.input.clock.now(), this.edits.at(-1)?.time ?? 0);
    let hanging = false;
    for (const piece of splitUpdate(update, eventBytes)) {
      const edit = pendingEdit(this.key(), piece, time);
      hanging ||= dependsOnMore(edit.inspected, (client) =>
        Math.max(clockOf(client), this.own.get(client) ?? 0),
      );
      this.claim(edit);
      this.edits.push(edit);
      this.mirror.put({ kind: "edit", key: edit.key, update: piece, time });
    }
    if (!hanging) return;
    for (const support of this.supports.fresh(unlogged()))
      this.mirror.put({
        kind: "support",
        key: this.supports.add(support, this.key()),
        update: support,
      });
  }

  /** Takes over what this tab wrote and kept in its box before there was anything to send it. */
  takeOver(records: Extract<OutboxRecord, { kind: "edit" }>[]): void {
    for (const { key, update, time } of records) {
      const pieces = splitUpdate(update, eventBytes);
      if (pieces.length > 1) this.mirror.remove(key);
      for (const piece of pieces) {
        const edit = pendingEdit(pieces.length > 1 ? this.key() : key, piece, time);
        this.claim(edit);
        this.edits.push(edit);
        this.mirror.put({ kind: "edit", key: edit.key, update: piece, time });
      }
    }
  }

  /** Takes over what an earlier tab left. */
  adoptLeftovers({ records, edits, events, deferrals, supports, unreadable }: Leftovers): void {
    this.mirror.found(records);
    this.unreadableRecords.push(...unreadable);
    this.edits = [...edits, ...this.edits];
    this.batches.push(...events);
    this.deferrals.push(...deferrals);
    for (const { key, update } of supports) this.supports.add(update, key);
    for (const edit of [...edits, ...events.flatMap((event) => event.edits)]) this.claim(edit);
  }

  /**
   * Seals what hangs only on the log, event by event; between two of them `turn` lets others do something, for thousands of
   * edits take a while. Answers which had to stay.
   */
  async seal(
    clockOf: (client: number) => number,
    turn: (edits: number) => Promise<unknown>,
  ): Promise<{ blocked: PendingEdit[] }> {
    const { ready, blocked } = divide(this.edits, clockOf);
    for (const edits of inEvents(ready, eventBytes, eventEdits)) {
      const sealing = new Set(edits);
      const rest = this.edits.filter((edit) => !sealing.has(edit));
      // Some may have been let go of, or made again, while others had their turn.
      if (this.edits.length - rest.length < edits.length) break;
      this.edits = rest;
      const key = this.key();
      const event = sealed(key, edits, {
        id: this.input.random.uuid(),
        schema: this.input.schemaVersion,
      });
      this.batches.push(event);
      this.mirror.put({ kind: "event", key, proposal: event.proposal, edits: edits.length });
      for (const edit of edits) this.mirror.remove(edit.key);
      await turn(edits.length);
    }
    if (this.edits.length === 0) this.dropSupports();
    return { blocked };
  }

  /** Whether something that waits could be sealed now. */
  mayGoOn(clockOf: (client: number) => number): boolean {
    const [first] = this.edits;
    return first !== undefined && !dependsOnMore(first.inspected, clockOf);
  }

  /** The sealed events that go into the next append: one at least, and more as long as their updates have at most so many bytes. */
  nextBatch(mostBytes: number): SealedEvent[] {
    const events: SealedEvent[] = [];
    let bytes = 0;
    for (const event of this.batches) {
      bytes += event.proposal.update?.length ?? 0;
      if (events.length === batchEvents || (events.length > 0 && bytes > mostBytes)) break;
      events.push(event);
    }
    return events;
  }

  /** The log has this event; answers it if it was one of ours. */
  acknowledge(id: string): SealedEvent | null {
    const event = this.batches.find(({ proposal }) => proposal.id === id);
    if (!event) return null;
    this.batches = this.batches.filter((other) => other !== event);
    this.mirror.remove(event.key);
    this.saved.add(event.proposal);
    return event;
  }

  /**
   * Takes back what the log has lost: of all that this tab has sent, the edits that `missing` names by their event and
   * their place in it. They stand before what was written since, unsealed, and are kept on the device again.
   */
  recall(missing: (id: string, index: number) => boolean): void {
    const sent = this.batches.flatMap(({ proposal, edits }) =>
      edits.filter((_, index) => missing(proposal.id, index)),
    );
    for (const { key } of this.batches) this.mirror.remove(key);
    this.batches = [];
    this.openBatch([...this.saved.recall(missing), ...sent]);
  }

  /** Puts edits that were sealed before back among those that wait, at their front; answers them as they are called there. */
  openBatch(edits: readonly PendingEdit[]): PendingEdit[] {
    const back = edits.map((edit) => ({ ...edit, key: this.key() }));
    for (const { key, update, time } of back) this.mirror.put({ kind: "edit", key, update, time });
    this.edits = [...back, ...this.edits];
    return back;
  }

  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean {
    return this.own.has(client);
  }

  owns(id: string): boolean {
    return this.batches.some(({ proposal }) => proposal.id === id);
  }

  /** Puts other updates, made again under a new client id, in the place of edits that could not be appended. */
  replace(
    replaced: readonly PendingEdit[],
    by: readonly Remade[],
    deferred: readonly Range[],
    deferredUpdate: Uint8Array | null,
  ): void {
    const gone = new Set(replaced.map(({ key }) => key));
    for (const key of gone) this.mirror.remove(key);
    const sealedToo = this.batches.filter(({ edits }) => edits.some(({ key }) => gone.has(key)));
    for (const { key } of sealedToo) this.mirror.remove(key);
    this.batches = this.batches.filter((event) => !sealedToo.includes(event));
    // What was sealed with something that is gone is sealed anew.
    this.edits = this.edits.filter(({ key }) => !gone.has(key));
    this.openBatch(sealedToo.flatMap(({ edits }) => edits.filter(({ key }) => !gone.has(key))));
    for (const { update, time, inspected } of by) {
      const pieces = splitUpdate(update, eventBytes);
      for (const piece of pieces) {
        const key = this.key();
        const edit =
          pieces.length === 1 ? { key, update, time, inspected } : pendingEdit(key, piece, time);
        this.claim(edit);
        this.edits.push(edit);
        this.mirror.put({ kind: "edit", key, update: piece, time });
      }
    }
    if (deferredUpdate) {
      const key = this.key();
      this.deferrals.push(...deferred.map((range) => ({ key, range })));
      this.mirror.put({ kind: "deferred", key, update: deferredUpdate });
    }
    this.dropSupports();
  }

  /** Puts edits aside that nobody can place. */
  textRun(edits: readonly PendingEdit[]): void {
    for (const { update, time } of edits) {
      const edit = pendingEdit(this.key(), update, time);
      this.orphanedEdits.push(edit);
      this.mirror.put({ kind: "edit", key: edit.key, update, time });
    }
  }

  /** Puts those back among the others that depend on nothing lost any more; answers their updates. */
  recover(clockOf: (client: number) => number): Uint8Array[] {
    if (this.orphanedEdits.length === 0) return [];
    const { ready, blocked } = divide(this.orphanedEdits, clockOf);
    this.orphanedEdits = blocked;
    this.edits.push(...ready);
    return ready.map(({ update }) => update);
  }

  /** Lets go of what is orphaned or cannot be read; the device keeps it all the same, out of the way. */
  forget(): void {
    for (const { key } of [...this.orphanedEdits, ...this.unreadableRecords])
      this.mirror.setAside(key);
    this.orphanedEdits = [];
    this.unreadableRecords = [];
  }

  /** Lets go of everything that the log does not have; the device keeps it all the same, out of the way. */
  letGo(): void {
    this.forget();
    for (const { key } of [...this.edits, ...this.batches]) this.mirror.setAside(key);
    this.edits = [];
    this.batches = [];
    this.dropSupports();
  }

  /** Takes out the deferred deletions that can be said now. */
  takeDeferred(held: (range: Range) => boolean): Range[] {
    const ready = this.deferrals.filter(({ range }) => held(range));
    this.deferrals = this.deferrals.filter((entry) => !ready.includes(entry));
    for (const { key } of ready)
      if (!this.deferrals.some((entry) => entry.key === key)) this.mirror.remove(key);
    return ready.map(({ range }) => range);
  }

  /** Resolves when the device has what is known now, or has refused it. */
  async stored(): Promise<void> {
    await this.mirror.write();
  }

  /** Which Yjs client ids the log is still to hear from, as far as this tab is concerned. */
  get clients(): number[] {
    return clientIdsOf(this.unacknowledged);
  }

  private key(): string {
    this.sequence += 1;
    return `${this.opened}.${String(this.sequence).padStart(9, "0")}`;
  }

  private claim({ inspected }: PendingEdit): void {
    for (const { client, clock, length } of inspected.structs)
      this.own.set(client, Math.max(this.own.get(client) ?? 0, clock + length));
  }

  private dropSupports(): void {
    for (const key of this.supports.clear()) this.mirror.remove(key);
  }
}

function bytesOf(edits: readonly PendingEdit[]): number {
  return edits.reduce((sum, { update }) => sum + update.length, 0);
}

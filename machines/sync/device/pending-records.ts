import type { Clock, Random } from "@/events/core/clock";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import { editRecord } from "@/events/device/outbox";
import type { OutboxBox, OutboxRecord } from "@/events/device/outbox";
import { DependencyUpdates } from "./dependency-updates";
import type { EditBatch } from "./edit-batch";
import type { Leftovers } from "./leftovers";
import { OutboxMirror } from "./outbox-mirror";
import type { DeviceAnswer, MirrorAmounts } from "./outbox-mirror";
import { RecordKeys } from "./record-keys";

type Input = {
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  /** The newest version of the text's schema that this build writes. */
  schemaVersion: number;
  /** Called with the device's answer to the last write. */
  stored(answer: DeviceAnswer): void;
};

/** The device's records of pending edits: one per edit, batch and dependency update. */
export class PendingRecords {
  private readonly dependencies = new DependencyUpdates();
  private readonly keys: RecordKeys;
  private readonly mirror: OutboxMirror;
  private newest: number;

  constructor(input: Input) {
    this.mirror = new OutboxMirror(input);
    this.newest = input.schemaVersion;
    this.keys = new RecordKeys(input.clock, input.random);
  }

  /** Whether the device has stored every record that the log does not have yet. */
  get isComplete(): boolean {
    return this.mirror.complete;
  }

  get amounts(): MirrorAmounts {
    return this.mirror.amounts;
  }

  /**
   * The schema version that covers all of the edits. A tab of a newer build may have left content
   * unknown to this build, and readers drop such content from an event with an older version.
   */
  get schema(): number {
    return this.newest;
  }

  /** Returns a key for a new record. */
  nextKey(): string {
    return this.keys.next();
  }

  putEdit({ key, update, time }: Pick<PendingEdit, "key" | "update" | "time">): void {
    this.mirror.put(editRecord({ key, update, time }, this.newest));
  }

  /** Stores a batch in place of its edits. */
  putBatch({ key, proposal, edits }: EditBatch, of: readonly PendingEdit[]): void {
    this.mirror.put({ kind: "event", key, proposal, edits: edits.length });
    this.remove(of);
  }

  /** Stores a deferred deletion. Returns its record key. */
  putDeferred(update: Uint8Array): string {
    const key = this.nextKey();
    this.mirror.put({ kind: "deferred", key, update });
    return key;
  }

  /** Stores others' unlogged updates that an edit depends on. */
  putDependencies(unlogged: readonly Pick<PendingEdit, "update">[]): void {
    for (const update of this.dependencies.fresh(unlogged)) {
      const key = this.dependencies.add(update, this.nextKey());
      this.mirror.put({ kind: "support", key, update });
    }
  }

  /** Removes the dependency updates once no edit needs them. */
  dropDependencies(): void {
    this.removeKeys(this.dependencies.clear());
  }

  /** Takes over the records of an earlier tab. */
  takeOver(records: readonly OutboxRecord[], dependencies: Leftovers["dependencies"]): void {
    this.mirror.found(records);
    this.newest = Math.max(this.newest, ...records.map(schemaOf));
    for (const { key, update } of dependencies) this.dependencies.add(update, key);
  }

  remove(records: readonly { key: string }[]): void {
    this.removeKeys(records.map(({ key }) => key));
  }

  removeKeys(keys: Iterable<string>): void {
    for (const key of keys) this.mirror.remove(key);
  }

  /** Sets records aside, where no tab takes them over and sends them. */
  setAside(keys: Iterable<string>): void {
    for (const key of keys) this.mirror.setAside(key);
  }

  /** Resolves when the device has stored or refused every record known now. */
  async write(): Promise<void> {
    await this.mirror.write();
  }
}

function schemaOf(record: OutboxRecord): number {
  if (record.kind === "edit") return record.schema ?? 1;
  return record.kind === "event" ? (record.proposal.schema ?? 1) : 1;
}

import { pendingEdit } from "@/events/crdt/updates/pending-edit";
import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { Remade } from "@/events/crdt/updates/rebase/client-rebase";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import type { EditRecord } from "@/events/device/outbox";
import type { OwnClocks } from "./own-clocks";
import type { PendingRecords } from "./pending-records";

/** Maximum bytes of an event: half of the database's limit, which leaves room for packing. */
export const eventBytes = 256 * 1024;

/** The pending edits that are in no batch yet, in order. The device stores a record of each. */
export class UnbatchedEdits {
  private edits: PendingEdit[] = [];
  private readonly records: PendingRecords;
  private readonly own: OwnClocks;

  constructor(records: PendingRecords, own: OwnClocks) {
    this.records = records;
    this.own = own;
  }

  get list(): readonly PendingEdit[] {
    return this.edits;
  }

  /** Splits an update into edits that each fit into an event. */
  split(update: Uint8Array, time: number): PendingEdit[] {
    return splitUpdate(update, eventBytes).map((piece) =>
      pendingEdit(this.records.nextKey(), piece, time),
    );
  }

  /** Appends an edit. */
  add(edit: PendingEdit): void {
    this.own.claim(edit);
    this.edits.push(edit);
    this.records.putEdit(edit);
  }

  /** Appends an edit that the device already stores. Returns the edits into which it was split. */
  takeOver({ key, update, time }: EditRecord): PendingEdit[] {
    const pieces = splitUpdate(update, eventBytes);
    if (pieces.length > 1) this.records.removeKeys([key]);
    return pieces.map((piece) => {
      const edit = pendingEdit(pieces.length > 1 ? this.records.nextKey() : key, piece, time);
      this.add(edit);
      return edit;
    });
  }

  /** Appends edits that were rebased under a new client id. */
  addRemade(remade: readonly Remade[]): void {
    for (const { update, time, inspected } of remade) {
      const pieces = splitUpdate(update, eventBytes);
      for (const piece of pieces) {
        const key = this.records.nextKey();
        this.add(
          pieces.length === 1 ? { key, update, time, inspected } : pendingEdit(key, piece, time),
        );
      }
    }
  }

  /** Prepends edits that already have records on the device. */
  addFirst(edits: readonly PendingEdit[]): void {
    this.edits = [...edits, ...this.edits];
  }

  /** Appends edits that already have records on the device. */
  addLast(edits: readonly PendingEdit[]): void {
    this.edits.push(...edits);
  }

  /** Prepends the edits of a batch again. Returns them with their new keys. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[] {
    const back = edits.map((edit) => ({ ...edit, key: this.records.nextKey() }));
    for (const edit of back) this.records.putEdit(edit);
    this.addFirst(back);
    return back;
  }

  /**
   * Removes these edits but keeps their records. Returns false and removes none if one is missing.
   */
  takeOut(chosen: readonly PendingEdit[]): boolean {
    const out = new Set(chosen);
    const rest = this.edits.filter((edit) => !out.has(edit));
    if (this.edits.length - rest.length < chosen.length) return false;
    this.edits = rest;
    return true;
  }

  /**
   * Replaces consecutive edits with one update, in a single device write. The joined edit has the
   * key of the first edit and the time of the last.
   */
  join(edits: readonly PendingEdit[], update: Uint8Array): void {
    const [first, last] = [edits[0], edits.at(-1)];
    if (!first || !last) return;
    const joined = splitUpdate(update, eventBytes).map((piece, index) =>
      pendingEdit(index === 0 ? first.key : this.records.nextKey(), piece, last.time),
    );
    this.edits.splice(this.edits.indexOf(first), edits.length, ...joined);
    this.records.remove(edits.slice(1));
    for (const edit of joined) this.records.putEdit(edit);
  }

  /** Removes the edits with these keys but keeps their records. */
  removeKeys(keys: ReadonlySet<string>): void {
    this.edits = this.edits.filter(({ key }) => !keys.has(key));
  }

  /** Removes and returns all edits but keeps their records. */
  clear(): PendingEdit[] {
    const all = this.edits;
    this.edits = [];
    return all;
  }
}

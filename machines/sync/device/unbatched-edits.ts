import { pendingEdit, type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type Remade } from "@/events/crdt/updates/rebase/client-rebase";
import { splitUpdate } from "@/events/crdt/updates/split-update";
import { type EditRecord } from "@/events/device/outbox";
import { type OwnClocks } from "./own-clocks";
import { type PendingRecords } from "./pending-records";

/** Half of what the database takes, so that no packing of the edits can pass it. */
export const eventBytes = 256 * 1024;

/** The pending edits that are in no batch yet, in order, each with its record on the device. */
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

  /** An update as edits, each of which fits into an event. */
  split(update: Uint8Array, time: number): PendingEdit[] {
    return splitUpdate(update, eventBytes).map((piece) =>
      pendingEdit(this.records.nextKey(), piece, time),
    );
  }

  /** Takes in an edit at the end. */
  add(edit: PendingEdit): void {
    this.own.claim(edit);
    this.edits.push(edit);
    this.records.putEdit(edit);
  }

  /** Takes in, at the end, what this tab has on the device already; returns it as edits. */
  takeOver({ key, update, time }: EditRecord): PendingEdit[] {
    const pieces = splitUpdate(update, eventBytes);
    if (pieces.length > 1) this.records.removeKeys([key]);
    return pieces.map((piece) => {
      const edit = pendingEdit(pieces.length > 1 ? this.records.nextKey() : key, piece, time);
      this.add(edit);
      return edit;
    });
  }

  /** Takes in, at the end, edits that were made again under a new client id. */
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

  /** Takes in, at the front, edits that have their records on the device. */
  addFirst(edits: readonly PendingEdit[]): void {
    this.edits = [...edits, ...this.edits];
  }

  /** Takes in, at the end, edits that have their records on the device. */
  addLast(edits: readonly PendingEdit[]): void {
    this.edits.push(...edits);
  }

  /** Puts edits of a batch back at the front; returns them as they are called there. */
  putBack(edits: readonly PendingEdit[]): PendingEdit[] {
    const back = edits.map((edit) => ({ ...edit, key: this.records.nextKey() }));
    for (const edit of back) this.records.putEdit(edit);
    this.addFirst(back);
    return back;
  }

  /** Takes out these edits, whose records stay; false, with all left, if one is gone already. */
  takeOut(chosen: readonly PendingEdit[]): boolean {
    const out = new Set(chosen);
    const rest = this.edits.filter((edit) => !out.has(edit));
    if (this.edits.length - rest.length < chosen.length) return false;
    this.edits = rest;
    return true;
  }

  /**
   * Puts one update in the place of edits that follow on each other. It takes over the key of the
   * first and the time of the last, and is one step for the device.
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

  /** Lets go of the edits with these keys, whose records stay. */
  removeKeys(keys: ReadonlySet<string>): void {
    this.edits = this.edits.filter(({ key }) => !keys.has(key));
  }

  /** Takes out all of them, whose records stay. */
  clear(): PendingEdit[] {
    const all = this.edits;
    this.edits = [];
    return all;
  }
}

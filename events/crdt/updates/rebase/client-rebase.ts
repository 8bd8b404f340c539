import { appendAll } from "@/events/core/append-all";
import * as Y from "yjs";
import { ClockRanges } from "../clock-ranges";
import { disableFormattingCleanup } from "../formatting-marks";
import { FreeClients } from "./free-clients";
import { ItemPlacement } from "./item-placement";
import { firstLack, ParkedUpdates } from "./parked-updates";
import { dependsOnMore } from "../pending-edit";
import type { PendingEdit } from "../pending-edit";
import { structAt } from "../struct-at";
import { updateSince } from "./struct-writing";
import { inspectUpdate } from "../update-inspection";
import type { InspectedUpdate } from "../update-inspection";
import { writeUpdate } from "../yjs-update";
import type { Range } from "../yjs-update";

/** An edit after the rebase: one update that depends only on the log and on earlier edits. */
export type Remade = Pick<PendingEdit, "update" | "time" | "inspected">;

/**
 * Remakes this tab's edits that depend on text whose author never logged it. All edits are first
 * applied unchanged to a picture: a document with the log and the unlogged updates of others. Each
 * edit is then written, item by item and in order, to a copy of the log under a new client id.
 * Text, marks, attributes and nodes keep their neighbours. Another author's unlogged node is copied
 * only if it contains something of this tab's. Every edit stays one edit with its own time. The
 * work can be done in slices.
 */
export class ClientRebase {
  /**
   * The log, the edits that can be appended unchanged, and the edits remade under the new client
   * id. Deleted content is kept.
   */
  readonly doc = new Y.Doc({ gc: false });
  readonly remade: Remade[] = [];
  /** Edits that were remade, or that could not be remade. */
  readonly replaced: PendingEdit[] = [];
  /**
   * Deletions of structs that the log does not hold. They can be appended if the author of these
   * structs returns.
   */
  readonly deferred: Range[] = [];
  /** Edits whose dependencies are unknown, so that the place of their content is unknown. */
  readonly orphaned: PendingEdit[] = [];
  private readonly picture = new Y.Doc({ gc: false });
  /** The clocks of the log with the unchanged edits (`held`), and of the picture (`reached`). */
  private readonly held = new Map<number, number>();
  private readonly reached = new Map<number, number>();
  private readonly names = new FreeClients((client) => this.held.get(client) ?? 0);
  /** The clocks of this tab's edits in the picture. */
  private readonly own = new ClockRanges();
  private readonly placement: ItemPlacement;
  private readonly parked = new ParkedUpdates();

  constructor(clientId: number, roots: readonly string[]) {
    for (const doc of [this.picture, this.doc]) disableFormattingCleanup(doc);
    this.doc.clientID = clientId;
    this.placement = new ItemPlacement(this.doc, this.held, this.own);
    for (const root of roots)
      this.placement.pair(this.picture.getXmlFragment(root), this.doc.getXmlFragment(root));
  }

  /** The number of items visited to find the places of other items: a measure of the work. */
  get steps(): number {
    return this.placement.steps;
  }

  /** The state vector of the log with the unchanged edits. */
  get vector(): Uint8Array {
    return Y.encodeStateVector(this.held);
  }

  /** Applies the log, or the part that the log has gained since the last call. */
  grow(update: Uint8Array): void {
    for (const doc of [this.picture, this.doc]) Y.applyUpdate(doc, update);
    for (const [client, clock] of clocksOf(this.doc))
      if (client !== this.doc.clientID) this.reach(client, clock, this.held);
  }

  /** Adds a whole state that this page had earlier to the picture. */
  besides(state: Uint8Array): void {
    Y.applyUpdate(this.picture, state);
    for (const [client, clock] of clocksOf(this.picture)) this.reach(client, clock);
  }

  /**
   * Adds unlogged updates of others to the picture, each as soon as the picture has its
   * dependencies. Ignores their deletions.
   */
  layOut(unlogged: readonly InspectedUpdate[]): void {
    const known = (client: number) => this.reached.get(client) ?? 0;
    this.picture.transact(() => {
      const open = unlogged.toReversed();
      for (let update = open.pop(); update; update = open.pop()) {
        const lack = firstLack(update, known);
        if (lack) {
          this.parked.park(update, lack);
          continue;
        }
        if (update.structs.length > 0)
          Y.applyUpdate(this.picture, writeUpdate({ blocks: update.parts.blocks, deletes: [] }));
        for (const { client, clock, length } of update.structs) this.reach(client, clock + length);
        for (const { client } of update.structs)
          appendAll(open, this.parked.freed(client, known(client)).reverse());
      }
    });
  }

  /**
   * Adds edits in order. An edit that depends only on the log and on unchanged edits stays
   * unchanged, unless `again` returns true for it.
   */
  take(edits: readonly PendingEdit[], again: (edit: PendingEdit) => boolean): void {
    this.picture.transact(() => {
      this.doc.transact((transaction) => {
        for (const edit of edits) {
          if (again(edit) || !this.mayStay(edit)) this.remake(transaction, edit);
          else this.applyUnchanged(edit);
        }
        // Yjs treats a transaction that applied an update as remote. If that transaction also wrote
        // items, Yjs would give the document another client id.
        transaction.local = true;
      });
    });
  }

  /**
   * Returns the ids in `doc` of a range of the page's previous document. Parts that `doc` does not
   * hold are omitted.
   */
  find(range: Range): Range[] {
    return this.names.ranges(range).flatMap((part) => {
      const { inside, outside } = this.placement.parts(part);
      const found: Range[] = [];
      for (const rest of outside) {
        const there = Math.min(rest.length, Y.getState(this.doc.store, rest.client) - rest.clock);
        if (there > 0) found.push({ ...rest, length: there });
      }
      // The logged part of a client's clocks always precedes the remade part.
      for (const { to, length } of inside)
        found.push({ client: this.doc.clientID, clock: to, length });
      return found;
    });
  }

  destroy(): void {
    this.picture.destroy();
  }

  /**
   * Whether an edit can be appended unchanged. It must depend only on the log and on unchanged
   * edits. Its own clocks must be new to the log, and no clock that it uses may be renamed.
   */
  private mayStay({ inspected }: PendingEdit): boolean {
    const held = (client: number) => this.held.get(client) ?? 0;
    return (
      inspected.structs.every(({ client, clock }) => clock >= held(client)) &&
      !this.names.renamesAny(inspected) &&
      !dependsOnMore(inspected, held)
    );
  }

  private applyUnchanged({ update, inspected }: PendingEdit): void {
    for (const doc of [this.picture, this.doc]) Y.applyUpdate(doc, update);
    for (const { client, clock, length } of inspected.structs) {
      this.reach(client, clock + length, this.held);
      this.release(client);
    }
  }

  private remake(transaction: Y.Transaction, edit: PendingEdit): void {
    this.replaced.push(edit);
    const { doc } = this;
    const structs = this.layOutOwn(edit);
    if (!structs) return void this.orphaned.push(edit);
    const begun = Y.getState(doc.store, doc.clientID);
    for (const range of structs) this.bring(transaction, range);
    const deleted: Range[] = [];
    for (const range of edit.inspected.deletes) appendAll(deleted, this.erase(transaction, range));
    if (deleted.length === 0 && Y.getState(doc.store, doc.clientID) === begun) return;
    const update = updateSince(doc, doc.clientID, begun, deleted);
    this.remade.push({ update, time: edit.time, inspected: inspectUpdate(update) });
  }

  /** Adds an edit's structs to the picture. Returns null if the picture lacks a dependency. */
  private layOutOwn(edit: PendingEdit): Range[] | null {
    const { inspected } = edit;
    const update = this.names.update(edit);
    const structs = inspected.structs.map(({ dependsOn, ...range }) => ({
      ...this.names.id(range),
      dependsOn: dependsOn.map((id) => this.names.id(id)),
    }));
    if (this.dependsOnMore(structs)) return null;
    Y.applyUpdate(this.picture, update);
    for (const range of structs) {
      this.own.add(range);
      this.reach(range.client, range.clock + range.length);
      this.release(range.client);
    }
    return structs;
  }

  private bring(transaction: Y.Transaction, { client, clock, length }: Range): void {
    for (let at = clock; at < clock + length;) {
      const struct = structAt(this.picture, client, at);
      if (!struct) return;
      const offset = at - struct.id.clock;
      const taken = Math.min(struct.length - offset, clock + length - at);
      // Content that an edit both inserted and deleted stays a gap: it is invisible and nothing
      // depends on it.
      if (struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted))
        this.placement.place(transaction, { item: struct, offset, length: taken });
      at += taken;
    }
  }

  /**
   * Deletes the part of an edit's deletion that `doc` holds. Returns the ranges that were not
   * deleted before.
   */
  private erase(transaction: Y.Transaction, range: Range): Range[] {
    return this.names
      .ranges(range)
      .flatMap((part) => this.counterparts(part, part.client === range.client))
      .flatMap((part) => eraseIn(transaction, part));
  }

  /**
   * Returns a picture's range as ranges of `doc`. Deletions of structs that are not logged yet are
   * deferred if other tabs know the structs by this id.
   */
  private counterparts(range: Range, isNameKept: boolean): Range[] {
    const reach = (this.held.get(range.client) ?? 0) - range.clock;
    const held = Math.max(0, Math.min(range.length, reach));
    const there: Range[] = held > 0 ? [{ ...range, length: held }] : [];
    const { inside, outside } = this.placement.parts({
      ...range,
      clock: range.clock + held,
      length: range.length - held,
    });
    for (const { to, length } of inside)
      there.push({ client: this.doc.clientID, clock: to, length });
    for (const gap of isNameKept ? outside : [])
      if (gap.length > 0) appendAll(this.deferred, this.own.parts(gap).outside);
    return there;
  }

  private dependsOnMore(structs: InspectedUpdate["structs"]): boolean {
    return dependsOnMore({ structs, deletes: [] }, (client) => this.reached.get(client) ?? 0);
  }

  /** Adds the parked updates of others whose dependencies the picture now has. */
  private release(client: number): void {
    const freed = this.parked.freed(client, this.reached.get(client) ?? 0);
    if (freed.length > 0) this.layOut(freed);
  }

  private reach(client: number, clock: number, held?: Map<number, number>): void {
    if (held) held.set(client, Math.max(held.get(client) ?? 0, clock));
    this.reached.set(client, Math.max(this.reached.get(client) ?? 0, clock));
  }
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc));
}

/** Deletes a range. Returns the parts that were not deleted before. */
function eraseIn(transaction: Y.Transaction, { client, clock, length }: Range): Range[] {
  const { doc } = transaction;
  const erased: Range[] = [];
  for (let at = clock; at < clock + length;) {
    const struct = structAt(doc, client, at);
    if (!struct) break;
    const end = Math.min(struct.id.clock + struct.length, clock + length);
    if (struct instanceof Y.Item && !struct.deleted) {
      Y.getItemCleanStart(transaction, Y.createID(client, at));
      const item = Y.getItemCleanEnd(transaction, doc.store, Y.createID(client, end - 1));
      item.delete(transaction);
      erased.push({ client, clock: at, length: end - at });
    }
    at = end;
  }
  return erased;
}

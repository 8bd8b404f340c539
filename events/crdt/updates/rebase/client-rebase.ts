import { appendAll } from "@/events/core/append-all";
import * as Y from "yjs";
import { ClockRanges } from "../clock-ranges";
import { disableFormattingCleanup } from "../formatting-marks";
import { FreeClients } from "./free-clients";
import { ItemPlacement } from "./item-placement";
import { firstLack, ParkedUpdates } from "./parked-updates";
import { dependsOnMore, type PendingEdit } from "../pending-edit";
import { structAt } from "../struct-at";
import { updateSince } from "./struct-writing";
import { inspectUpdate, type InspectedUpdate } from "../update-inspection";
import { writeUpdate, type Range } from "../yjs-update";

/** What an edit became: a single update that hangs only on the log and on those before it. */
export type Remade = Pick<PendingEdit, "update" | "time" | "inspected">;

/**
 * Makes edits again that depend on text whose author never logged it. They are laid out as they
 * were made, in a picture that holds the log and others' updates that it lacks; then each is
 * written, item by item and in its order, into a copy of the log under a new client id: text,
 * marks, attributes and nodes keep their neighbours, and of the others' nodes only those survive,
 * as own ones, that something own stands in. Every edit stays one, with its time. To be called in
 * slices.
 */
export class ClientRebase {
  /**
   * The log and what may be appended as it is, with the edits made again under the new client id.
   * It has kept what was deleted in it.
   */
  readonly doc = new Y.Doc({ gc: false });
  readonly remade: Remade[] = [];
  /** Which edits were made again, or could not be. */
  readonly replaced: PendingEdit[] = [];
  /** Deletions of what the log does not hold; they can be said if its author ever comes back. */
  readonly deferred: Range[] = [];
  /** Edits that depend on what nobody has told, so that nobody can say where they belong. */
  readonly orphaned: PendingEdit[] = [];
  private readonly picture = new Y.Doc({ gc: false });
  /** How far the log and what is kept reach, and how far the picture does. */
  private readonly held = new Map<number, number>();
  private readonly reached = new Map<number, number>();
  private readonly names = new FreeClients((client) => this.held.get(client) ?? 0);
  /** Clocks of the picture that are own. */
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

  /** How many items were looked at to find where others belong: a measure of the work. */
  get steps(): number {
    return this.placement.steps;
  }

  /** How far the log and what is kept reach in it, as a state vector. */
  get vector(): Uint8Array {
    return Y.encodeStateVector(this.held);
  }

  /** Takes in the log, or what it has got since. */
  grow(update: Uint8Array): void {
    for (const doc of [this.picture, this.doc]) Y.applyUpdate(doc, update);
    for (const [client, clock] of clocksOf(this.doc))
      if (client !== this.doc.clientID) this.reach(client, clock, this.held);
  }

  /** Lays out what stood here once, as a whole. */
  besides(state: Uint8Array): void {
    Y.applyUpdate(this.picture, state);
    for (const [client, clock] of clocksOf(this.picture)) this.reach(client, clock);
  }

  /**
   * Lays out others' updates that the log lacks, each as soon as what it depends on is there; their
   * deletions do not count.
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
   * Takes edits over, in their order: as they are if they hang only on the log and what is kept,
   * and `again` does not ask for more.
   */
  take(edits: readonly PendingEdit[], again: (edit: PendingEdit) => boolean): void {
    this.picture.transact(() => {
      this.doc.transact((transaction) => {
        for (const edit of edits) {
          if (again(edit) || !this.mayStay(edit)) this.remake(transaction, edit);
          else this.applyUnchanged(edit);
        }
        // Yjs takes a transaction that applied an update for somebody else's. Where it wrote something
        // of its own as well, Yjs would give the document another client id.
        transaction.local = true;
      });
    });
  }

  /** What ticks that stood in the page before are called in `doc`; those that are gone there are left out. */
  find(range: Range): Range[] {
    return this.names.ranges(range).flatMap((part) => {
      const { inside, outside } = this.placement.parts(part);
      const found: Range[] = [];
      for (const rest of outside) {
        const there = Math.min(rest.length, Y.getState(this.doc.store, rest.client) - rest.clock);
        if (there > 0) found.push({ ...rest, length: there });
      }
      // What the log holds of a client always comes before what was made again.
      for (const { to, length } of inside)
        found.push({ client: this.doc.clientID, clock: to, length });
      return found;
    });
  }

  destroy(): void {
    this.picture.destroy();
  }

  /**
   * Whether an edit hangs only on the log and what is kept, and the log has given neither its ticks
   * nor those that it depends on or deletes to something else.
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

  /** Puts into the picture what an edit brings; null if it depends on more than is there. */
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
      // What was deleted in the very edit that brought it is a gap: nothing of it can be seen, and nothing needs it.
      if (struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted))
        this.placement.place(transaction, { item: struct, offset, length: taken });
      at += taken;
    }
  }

  /** Deletes what an edit deleted, as far as `doc` holds it; answers what that was there. */
  private erase(transaction: Y.Transaction, range: Range): Range[] {
    return this.names
      .ranges(range)
      .flatMap((part) => this.counterparts(part, part.client === range.client))
      .flatMap((part) => eraseIn(transaction, part));
  }

  /** What a range of the picture is in `doc`; what nobody has told yet is put off, if others know it by that name. */
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

  /** Lays out what others wrote behind something that is there now. */
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

/** Deletes a range; answers the parts of it that were still there. */
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

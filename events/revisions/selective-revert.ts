import * as Y from "yjs";
import type { RecordedDocument } from "@/events/history/recorded-document";
import { insertItem } from "@/events/crdt/updates/rebase/item-insertion";
import type { ItemPlace } from "@/events/crdt/updates/rebase/item-insertion";
import { deletionOf } from "@/events/crdt/updates/deletion";
import type { Id, Range } from "@/events/crdt/updates/yjs-update";
import type { Keeping } from "./selective/keeping";
import { deepest, KeptItems } from "./selective/kept-items";
import type { AnyType } from "./selective/kept-items";
import { cut, ReturningCopies } from "./selective/returning-copies";

/**
 * The plan for one list of items: the clocks to delete, and the copies to insert after deleted
 * clocks.
 */
type Plan = {
  deletes: Range[];
  copies: { parent: AnyType; after: Y.ID; make: (place: ItemPlace) => void }[];
  hasStanding: boolean;
};

/** The input of a selective revert. `clientId` must be a fresh one. */
type SelectiveRevert = Keeping & {
  clientId: number;
  /**
   * Clocks to which data outside the text points. Returning runs are split there, so that both
   * sides return around the anchor.
   */
  anchors?: readonly Id[];
};

class SelectiveReverter {
  private readonly record: RecordedDocument;
  private readonly transaction: Y.Transaction;
  private readonly kept: KeptItems;
  private readonly returning: ReturningCopies;

  constructor(
    record: RecordedDocument,
    transaction: Y.Transaction,
    { keepPredicate, chainOf, anchors = [] }: SelectiveRevert,
  ) {
    this.record = record;
    this.transaction = transaction;
    this.kept = new KeptItems(record, keepPredicate, anchors);
    this.returning = new ReturningCopies(transaction, this.kept, chainOf ?? null);
  }

  run(): void {
    const plan = this.planOf(this.record.fragment, 0);
    for (const { parent, after, make } of plan.copies) {
      make({
        parent,
        left: Y.getItemCleanEnd(this.transaction, this.transaction.doc.store, after),
      });
    }
    this.returning.fillHeirs();
    if (plan.deletes.length === 0) return;
    Y.applyUpdate(this.transaction.doc, deletionOf(plan.deletes));
    // Keeps the transaction local. Yjs would give up a client id that appears in a remote one.
    this.transaction.local = true;
  }

  /** Plans a node's list: the items to delete from it, and the copies that return into it. */
  private planOf(parent: AnyType, depth: number): Plan {
    const plan: Plan = { deletes: [], copies: [], hasStanding: false };
    if (depth > deepest) return { ...plan, hasStanding: true };
    for (let item = parent._start; item; item = item.right) {
      if (item.content instanceof Y.ContentType)
        this.planNode(item, item.content.type, parent, plan, depth);
      else this.planRuns(item, parent, plan);
    }
    this.planAttributes(parent, plan);
    return plan;
  }

  private planNode(item: Y.Item, type: AnyType, parent: AnyType, plan: Plan, depth: number): void {
    const kept = this.kept.keeps(item);
    if (item.deleted) {
      if (!kept) {
        this.returning.planHeir(item, type);
        return;
      }
      plan.hasStanding = true;
      plan.copies.push({
        parent,
        after: item.lastId,
        make: (place) => void this.returning.copyNode(item, place, depth),
      });
      return;
    }
    const inner = this.planOf(type, depth + 1);
    if (this.returning.isNeeded(item)) inner.hasStanding = true;
    // A block with text that others have written since stays.
    if (!kept && !inner.hasStanding) {
      plan.deletes.push({ client: item.id.client, clock: item.id.clock, length: 1 });
      return;
    }
    // A textblock without letters does not keep its block in place.
    if (inner.hasStanding || !(type instanceof Y.XmlText)) plan.hasStanding = true;
    // Pushed individually: there may be more ranges than a call allows arguments.
    for (const range of inner.deletes) plan.deletes.push(range);
    for (const copy of inner.copies) plan.copies.push(copy);
  }

  private planRuns(item: Y.Item, parent: AnyType, plan: Plan): void {
    const { client, clock } = item.id;
    for (const { from, to, kept } of this.kept.runsOf(item)) {
      if (kept && !(item.content instanceof Y.ContentFormat)) plan.hasStanding = true;
      if (kept === !item.deleted) continue;
      if (kept) {
        // The content is cut now, because inserting a copy may split the item of the next one.
        const content = cut(item.content, from, to);
        plan.copies.push({
          parent,
          after: Y.createID(client, clock + to - 1),
          make: (place) => void insertItem(this.transaction, place, content),
        });
      } else plan.deletes.push({ client, clock: clock + from, length: to - from });
    }
  }

  private planAttributes(parent: AnyType, plan: Plan): void {
    for (const [key, latest] of parent._map) {
      const chosen = this.kept.valueOf(latest);
      if (chosen === "standing") continue;
      const { client, clock } = latest.lastId;
      if (chosen)
        plan.copies.push({
          parent,
          after: latest.lastId,
          make: () =>
            void insertItem(
              this.transaction,
              { parent, left: parent._map.get(key) ?? null, key },
              chosen,
            ),
        });
      else if (!latest.deleted) plan.deletes.push({ client, clock, length: 1 });
    }
  }
}

/**
 * Makes exactly those units of a document's history stand that the keep-predicate selects, as one
 * more revision. Standing units that are kept are not touched, so they keep their authors and
 * anchors. Returning units are copies, right after the place where they stood. A block stays, kept
 * or not, while any of its content does. Returns the update, or null if nothing would change.
 */
export function selectiveRevert(
  record: RecordedDocument,
  request: SelectiveRevert,
): Uint8Array | null {
  return record.write(request.clientId, (transaction) =>
    new SelectiveReverter(record, transaction, request).run(),
  );
}

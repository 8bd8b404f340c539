import * as Y from "yjs";
import { type RecordedDocument } from "@/events/history/recorded-document";
import { insertItem, type ItemPlace } from "@/events/crdt/updates/rebase/item-insertion";
import { deletionOf } from "@/events/crdt/updates/deletion";
import { type Id, type Range } from "@/events/crdt/updates/yjs-update";
import { type Keeping } from "./selective/keeping";
import { type AnyType, deepest, KeptItems } from "./selective/kept-items";
import { cut, ReturningCopies } from "./selective/returning-copies";

/** What is to be done to one list of items: ticks to delete, and copies to put behind ticks that are gone. */
type Plan = {
  deletes: Range[];
  copies: { parent: AnyType; after: Y.ID; make: (place: ItemPlace) => void }[];
  hasStanding: boolean;
};

/** What a selective revert needs; `clientId` is a fresh one. */
type SelectiveRevert = Keeping & {
  clientId: number;
  /**
   * Ticks that something outside of the text points at: what returns is cut there, so that both
   * sides of it return around it.
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
    // It is still one's own change; Yjs would give up the client id that it meets in somebody else's.
    this.transaction.local = true;
  }

  /** Plans the standing list of a node: what of it goes, and what returns into it. */
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
    // What somebody else has written since still needs the block that it stands in.
    if (!kept && !inner.hasStanding) {
      plan.deletes.push({ client: item.id.client, clock: item.id.clock, length: 1 });
      return;
    }
    // A textblock without a letter keeps no block in place.
    if (inner.hasStanding || !(type instanceof Y.XmlText)) plan.hasStanding = true;
    // One by one: they may be more than a call has room for.
    for (const range of inner.deletes) plan.deletes.push(range);
    for (const copy of inner.copies) plan.copies.push(copy);
  }

  private planRuns(item: Y.Item, parent: AnyType, plan: Plan): void {
    const { client, clock } = item.id;
    for (const { from, to, kept } of this.kept.runsOf(item)) {
      if (kept && !(item.content instanceof Y.ContentFormat)) plan.hasStanding = true;
      if (kept === !item.deleted) continue;
      if (kept) {
        // Cut now: making room for one copy may divide the item that the next is taken from.
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
 * Makes a document hold what the keep-predicate names of everything that was ever written in it,
 * and nothing else, as one more revision. What stands and is kept is not touched, so it keeps its
 * author and whatever is anchored to it; what returns is a copy, right behind the place where it
 * stood. A block stays, kept or not, while anything in it does. Answers the update; null where
 * nothing would change.
 */
export function selectiveRevert(
  record: RecordedDocument,
  request: SelectiveRevert,
): Uint8Array | null {
  return record.write(request.clientId, (transaction) =>
    new SelectiveReverter(record, transaction, request).run(),
  );
}

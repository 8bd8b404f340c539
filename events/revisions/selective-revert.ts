import * as Y from "yjs";
import {
  type LivedUnit,
  type RecordedDocument,
  stillStands,
} from "@/events/history/recorded-document";
import { insertItem, type ItemPlace } from "@/events/crdt/updates/item-insertion";
import { deletionOf } from "@/events/crdt/updates/deletion";
import { type Id, type Range } from "@/events/crdt/updates/yjs-update";

type AnyType = Y.ContentType["type"];

/** Whether something that was ever written is to stand in the text. */
export type KeepPredicate = (unit: LivedUnit) => boolean;

/** The text as it stood at a revision. */
export function asAt(revision: number): KeepPredicate {
  return ({ born, died }) => born <= revision && died > revision;
}

/**
 * The text without what was done at some revisions: what came then goes, what went then comes back. What others did
 * since stays: they keep what they wrote, and what they took away does not return.
 */
export function without(undone: (revision: number) => boolean): KeepPredicate {
  return ({ born, died }) => !undone(born) && (stillStands({ died }) || undone(died));
}

/** One passage as it stood at a revision, and everything else as it stands. */
export function passageAsAt(
  revision: number,
  inPassage: (unit: LivedUnit) => boolean,
): KeepPredicate {
  const then = asAt(revision);
  return (unit) => (inPassage(unit) ? then(unit) : stillStands(unit));
}

/** What is to be done to one list of items: ticks to delete, and copies to put behind ticks that are gone. */
type Plan = {
  deletes: Range[];
  copies: { parent: AnyType; after: Y.ID; make: (place: ItemPlace) => void }[];
  hasStanding: boolean;
};

/** What a selective revert needs; `clientId` is a fresh one. */
type SelectiveRevert = {
  clientId: number;
  keepPredicate: KeepPredicate;
  /**
   * Ticks that something outside of the text points at: what returns is cut there, so that both
   * sides of it return around it.
   */
  anchors?: readonly Id[];
};

const deepest = 64;
const nameOf = ({ client, clock }: Id) => `${client}:${clock}`;

class SelectiveReverter {
  private readonly record: RecordedDocument;
  private readonly transaction: Y.Transaction;
  private readonly keepPredicate: KeepPredicate;
  private readonly anchors: ReadonlySet<string>;

  constructor(
    record: RecordedDocument,
    transaction: Y.Transaction,
    { keepPredicate, anchors = [] }: SelectiveRevert,
  ) {
    this.record = record;
    this.transaction = transaction;
    this.keepPredicate = keepPredicate;
    this.anchors = new Set(anchors.map(nameOf));
  }

  run(): void {
    const plan = this.planOf(this.record.fragment, 0);
    for (const { parent, after, make } of plan.copies) {
      make({
        parent,
        left: Y.getItemCleanEnd(this.transaction, this.transaction.doc.store, after),
      });
    }
    if (plan.deletes.length === 0) return;
    Y.applyUpdate(this.transaction.doc, deletionOf(plan.deletes));
    // It is still one's own change; Yjs would give up the client id that it meets in somebody else's.
    this.transaction.local = true;
  }

  private keeps(item: Y.Item, offset: number): boolean {
    return this.keepPredicate(this.record.lifeOf(item.id.client, item.id.clock + offset));
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
    const kept = this.keeps(item, 0);
    if (item.deleted) {
      if (!kept) return;
      plan.hasStanding = true;
      plan.copies.push({
        parent,
        after: item.lastId,
        make: (place) => void this.copyNode(item, place, depth),
      });
      return;
    }
    const inner = this.planOf(type, depth + 1);
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
    for (const { from, to, kept } of this.runsOf(item)) {
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

  private runsOf(item: Y.Item): { from: number; to: number; kept: boolean }[] {
    // What was destroyed, or deleted before anybody saw it, has nothing to bring back.
    const gone = item.content instanceof Y.ContentDeleted;
    const runs: { from: number; to: number; kept: boolean }[] = [];
    for (let offset = 0; offset < item.length; offset += 1) {
      const kept = !gone && this.keeps(item, offset);
      const last = runs.at(-1);
      const anchored =
        this.anchors.size > 0 &&
        this.anchors.has(nameOf({ client: item.id.client, clock: item.id.clock + offset }));
      if (last?.kept === kept && !anchored) last.to = offset + 1;
      else runs.push({ from: offset, to: offset + 1, kept });
    }
    return runs;
  }

  private planAttributes(parent: AnyType, plan: Plan): void {
    for (const [key, latest] of parent._map) {
      const chosen = this.keptValue(latest);
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

  /**
   * The latest value of an attribute that is kept: the one that stands, or a copy of an earlier
   * one; null for none.
   */
  private keptValue(latest: Y.Item): Y.ContentAny | "standing" | null {
    for (let item: Y.Item | null = latest; item; item = item.left) {
      const values = item.content.getContent();
      for (let offset = item.length - 1; offset >= 0; offset -= 1) {
        if (!this.keeps(item, offset)) continue;
        if (!item.deleted) return "standing";
        return item.content instanceof Y.ContentAny ? new Y.ContentAny([values[offset]]) : null;
      }
    }
    return null;
  }

  private copyNode(item: Y.Item, place: ItemPlace, depth: number): Y.Item {
    const content = item.content.copy();
    const made = insertItem(this.transaction, place, content);
    if (!(item.content instanceof Y.ContentType) || !(content instanceof Y.ContentType))
      return made;
    const [from, to] = [item.content.type, content.type];
    let last: Y.Item | null = null;
    for (let child = depth < deepest ? from._start : null; child; child = child.right) {
      if (child.content instanceof Y.ContentType) {
        if (this.keeps(child, 0))
          last = this.copyNode(child, { parent: to, left: last }, depth + 1);
        continue;
      }
      for (const run of this.runsOf(child))
        if (run.kept)
          last = insertItem(
            this.transaction,
            { parent: to, left: last },
            cut(child.content, run.from, run.to),
          );
    }
    for (const [key, latest] of from._map) {
      const chosen = this.keptValue(latest);
      if (chosen && chosen !== "standing")
        insertItem(this.transaction, { parent: to, left: null, key }, chosen);
    }
    return made;
  }
}

function cut(content: Y.Item["content"], from: number, to: number): Y.Item["content"] {
  const copy = content.copy();
  const tail = from > 0 ? copy.splice(from) : copy;
  if (to - from < tail.getLength()) tail.splice(to - from);
  return tail;
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

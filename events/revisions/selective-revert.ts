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
 * The text without what one event did: what came then goes, what went then comes back. What others did since stays:
 * they keep what they wrote, and what they took away does not return.
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

/** What has to stand. */
export type Keeping = {
  keepPredicate: KeepPredicate;
  /** The units that a letter or a node was, one after the other; without it, each is its own. */
  chainOf?: (unit: LivedUnit) => readonly Id[];
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

/** A node that is gone, and the one that goes on for it. */
type Heir = { from: AnyType; heir: Y.Item };

const deepest = 64;
const nameOf = ({ client, clock }: Id) => `${client}:${clock}`;

class SelectiveReverter {
  private readonly record: RecordedDocument;
  private readonly transaction: Y.Transaction;
  private readonly keepPredicate: KeepPredicate;
  private readonly chainOf: Keeping["chainOf"] | null;
  private readonly anchors: ReadonlySet<string>;
  private readonly heirs: Heir[] = [];
  /** Nodes into which something returns from what they were before. */
  private readonly needed = new Set<string>();
  /** The id of each recreated node, by the id of the node that it continues. */
  private readonly made = new Map<string, Y.ID>();

  constructor(
    record: RecordedDocument,
    transaction: Y.Transaction,
    { keepPredicate, chainOf, anchors = [] }: SelectiveRevert,
  ) {
    this.record = record;
    this.transaction = transaction;
    this.keepPredicate = keepPredicate;
    this.chainOf = chainOf ?? null;
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
    for (const { from, heir } of this.heirs) {
      const to = this.itemAt(this.made.get(nameOf(heir.id)) ?? heir.id);
      if (to && !to.deleted && to.content instanceof Y.ContentType)
        this.fillIn(from, to.content.type);
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
      if (!kept) {
        this.planHeir(item, type);
        return;
      }
      plan.hasStanding = true;
      plan.copies.push({
        parent,
        after: item.lastId,
        make: (place) => void this.copyNode(item, place, depth),
      });
      return;
    }
    const inner = this.planOf(type, depth + 1);
    if (this.needed.has(nameOf(item.id))) inner.hasStanding = true;
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

  private itemAt(id: Y.ID): Y.Item | null {
    const found = Y.getItem(this.transaction.doc.store, id);
    return found instanceof Y.Item ? found : null;
  }

  /** Notes a node that is gone and goes on as another one, if something of it has to stand there. */
  private planHeir(item: Y.Item, from: AnyType): void {
    const unit = this.record.lifeOf(item.id.client, item.id.clock);
    const later = this.chainOf?.(unit).map((id) => this.itemAt(Y.createID(id.client, id.clock)));
    const heir =
      later?.findLast((each) => each && !each.deleted) ??
      later?.find((each) => each && this.keeps(each, 0));
    if (!heir || heir === item || !this.hasReturning(from, 0)) return;
    this.heirs.push({ from, heir });
    this.needed.add(nameOf(heir.id));
  }

  /** Whether something returns of what stood in a node that is gone. */
  private hasReturning(from: AnyType, depth: number): boolean {
    for (let item = depth < deepest ? from._start : null; item; item = item.right) {
      if (this.runsOf(item).some(({ kept }) => kept)) return true;
      if (item.content instanceof Y.ContentType && this.hasReturning(item.content.type, depth + 1))
        return true;
    }
    return false;
  }

  /** What a unit is in a node that goes on for another one; null where it is not in it. */
  private counterpart(unit: LivedUnit, to: AnyType): Y.ID | null {
    for (const id of this.chainOf?.(unit) ?? []) {
      const found = this.made.get(nameOf(id)) ?? Y.createID(id.client, id.clock);
      if (this.itemAt(found)?.parent === to) return found;
    }
    return null;
  }

  /** Brings what returns of a node that is gone into the one that goes on for it, between what stood beside it. */
  private fillIn(from: AnyType, to: AnyType, depth = 0): void {
    let after: Y.ID | null = null;
    const left = () =>
      after && Y.getItemCleanEnd(this.transaction, this.transaction.doc.store, after);
    for (let item = depth < deepest ? from._start : null; item; item = item.right) {
      const { client, clock } = item.id;
      const { content } = item;
      if (content instanceof Y.ContentType) {
        if (this.keeps(item, 0)) {
          after = this.copyNode(item, { parent: to, left: left() }, depth).lastId;
          continue;
        }
        const heir = this.counterpart(this.record.lifeOf(client, clock), to);
        if (heir === null) continue;
        after = heir;
        const inner = this.itemAt(heir)?.content;
        if (inner instanceof Y.ContentType) this.fillIn(content.type, inner.type, depth + 1);
        continue;
      }
      for (const { from: first, to: end, kept } of this.runsOf(item)) {
        if (kept)
          after = insertItem(
            this.transaction,
            { parent: to, left: left() },
            cut(content, first, end),
          ).lastId;
        else
          for (let offset = first; offset < end; offset += 1)
            after = this.counterpart(this.record.lifeOf(client, clock + offset), to) ?? after;
      }
    }
  }

  private copyNode(item: Y.Item, place: ItemPlace, depth: number): Y.Item {
    const content = item.content.copy();
    const made = insertItem(this.transaction, place, content);
    this.made.set(nameOf(item.id), made.id);
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
      for (const run of this.runsOf(child)) {
        if (!run.kept) continue;
        last = insertItem(
          this.transaction,
          { parent: to, left: last },
          cut(child.content, run.from, run.to),
        );
        if (this.chainOf)
          for (let offset = run.from; offset < run.to; offset += 1)
            this.made.set(
              nameOf({ client: child.id.client, clock: child.id.clock + offset }),
              Y.createID(last.id.client, last.id.clock + offset - run.from),
            );
      }
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

import * as Y from "yjs";
import { insertItem } from "@/events/crdt/updates/rebase/item-insertion";
import type { ItemPlace } from "@/events/crdt/updates/rebase/item-insertion";
import type { LivedUnit } from "@/events/history/recorded-document";
import type { Keeping } from "./keeping";
import { deepest, nameOf } from "./kept-items";
import type { AnyType, KeptItems } from "./kept-items";

/** A deleted node, with the node that continues it. */
type Heir = { from: AnyType; heir: Y.Item };

/** Returns a part of an item's content. */
export function cut(content: Y.Item["content"], from: number, to: number): Y.Item["content"] {
  const copy = content.copy();
  const tail = from > 0 ? copy.splice(from) : copy;
  if (to - from < tail.getLength()) tail.splice(to - from);
  return tail;
}

/**
 * Writes the returning content of deleted nodes: as copies of the nodes, or inside the nodes that
 * continue them.
 */
export class ReturningCopies {
  private readonly transaction: Y.Transaction;
  private readonly kept: KeptItems;
  private readonly chainOf: Keeping["chainOf"] | null;
  private readonly heirs: Heir[] = [];
  /** Nodes into which content of their predecessors returns. */
  private readonly needed = new Set<string>();
  /** The id of each recreated node, by the id of the node that it continues. */
  private readonly made = new Map<string, Y.ID>();

  constructor(transaction: Y.Transaction, kept: KeptItems, chainOf: Keeping["chainOf"] | null) {
    this.transaction = transaction;
    this.kept = kept;
    this.chainOf = chainOf;
  }

  /** Whether content of a node's predecessors returns into the node. */
  isNeeded({ id }: Y.Item): boolean {
    return this.needed.has(nameOf(id));
  }

  /** Registers a deleted node with its successor if its content must partly stand there. */
  planHeir(item: Y.Item, from: AnyType): void {
    const later = this.chainOf?.(this.lifeOf(item)).map((id) =>
      this.itemAt(Y.createID(id.client, id.clock)),
    );
    const heir =
      later?.findLast((each) => each && !each.deleted) ??
      later?.find((each) => each && this.kept.keeps(each));
    if (!heir || heir === item || !this.kept.hasAny(from)) return;
    this.heirs.push({ from, heir });
    this.needed.add(nameOf(heir.id));
  }

  /** Fills the nodes that continue others. Requires that the returning nodes exist. */
  fillHeirs(): void {
    for (const { from, heir } of this.heirs) {
      const to = this.itemAt(this.made.get(nameOf(heir.id)) ?? heir.id);
      if (to && !to.deleted && to.content instanceof Y.ContentType)
        this.fillIn(from, to.content.type);
    }
  }

  copyNode(item: Y.Item, place: ItemPlace, depth: number): Y.Item {
    const content = item.content.copy();
    const made = insertItem(this.transaction, place, content);
    this.made.set(nameOf(item.id), made.id);
    if (!(item.content instanceof Y.ContentType) || !(content instanceof Y.ContentType))
      return made;
    const [from, to] = [item.content.type, content.type];
    this.copyList(from, to, depth);
    for (const [key, latest] of from._map) {
      const chosen = this.kept.valueOf(latest);
      if (chosen && chosen !== "standing")
        insertItem(this.transaction, { parent: to, left: null, key }, chosen);
    }
    return made;
  }

  private copyList(from: AnyType, to: AnyType, depth: number): void {
    let last: Y.Item | null = null;
    for (let child = depth < deepest ? from._start : null; child; child = child.right) {
      if (child.content instanceof Y.ContentType) {
        if (this.kept.keeps(child))
          last = this.copyNode(child, { parent: to, left: last }, depth + 1);
        continue;
      }
      for (const run of this.kept.runsOf(child)) {
        if (!run.kept) continue;
        const content = cut(child.content, run.from, run.to);
        last = insertItem(this.transaction, { parent: to, left: last }, content);
        this.noteCopies(child, run, last);
      }
    }
  }

  private noteCopies(
    { id }: Y.Item,
    { from, to }: { from: number; to: number },
    made: Y.Item,
  ): void {
    if (!this.chainOf) return;
    for (let offset = from; offset < to; offset += 1)
      this.made.set(
        nameOf({ client: id.client, clock: id.clock + offset }),
        Y.createID(made.id.client, made.id.clock + offset - from),
      );
  }

  /**
   * Inserts returning content of a deleted node into its successor, between the same neighbours.
   */
  private fillIn(from: AnyType, to: AnyType, depth = 0): void {
    let after: Y.ID | null = null;
    const left = () =>
      after && Y.getItemCleanEnd(this.transaction, this.transaction.doc.store, after);
    for (let item = depth < deepest ? from._start : null; item; item = item.right) {
      const { client, clock } = item.id;
      const { content } = item;
      if (content instanceof Y.ContentType) {
        if (this.kept.keeps(item)) {
          after = this.copyNode(item, { parent: to, left: left() }, depth).lastId;
          continue;
        }
        const heir = this.counterpart(this.lifeOf(item), to);
        if (heir === null) continue;
        after = heir;
        const inner = this.itemAt(heir)?.content;
        if (inner instanceof Y.ContentType) this.fillIn(content.type, inner.type, depth + 1);
        continue;
      }
      for (const { from: first, to: end, kept } of this.kept.runsOf(item)) {
        if (kept) {
          const made: Y.Item = insertItem(
            this.transaction,
            { parent: to, left: left() },
            cut(content, first, end),
          );
          after = made.lastId;
        } else
          for (let offset = first; offset < end; offset += 1) {
            const unit = this.kept.record.lifeOf(client, clock + offset);
            after = this.counterpart(unit, to) ?? after;
          }
      }
    }
  }

  /** Returns the counterpart of a unit in its node's successor, or null without one. */
  private counterpart(unit: LivedUnit, to: AnyType): Y.ID | null {
    for (const id of this.chainOf?.(unit) ?? []) {
      const found = this.made.get(nameOf(id)) ?? Y.createID(id.client, id.clock);
      if (this.itemAt(found)?.parent === to) return found;
    }
    return null;
  }

  private lifeOf({ id }: Y.Item): LivedUnit {
    return this.kept.record.lifeOf(id.client, id.clock);
  }

  private itemAt(id: Y.ID): Y.Item | null {
    const found = Y.getItem(this.transaction.doc.store, id);
    return found instanceof Y.Item ? found : null;
  }
}

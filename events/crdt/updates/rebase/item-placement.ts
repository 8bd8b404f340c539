import * as Y from "yjs";
import { ClockRanges } from "../clock-ranges";
import { insertItem } from "./item-insertion";
import { structAt } from "../struct-at";
import type { Id, Range } from "../yjs-update";

type AnyType = Y.ContentType["type"];
type Place = { item: Y.Item; offset: number; length: number };

/**
 * Copies items of one document into another under that document's client id. Each item is placed
 * beside the same neighbours: items that were copied before, and items that both documents hold
 * (`held`).
 */
export class ItemPlacement {
  /** The number of items visited to find the places of other items. */
  steps = 0;
  private readonly doc: Y.Doc;
  private readonly held: ReadonlyMap<number, number>;
  /**
   * This tab's clocks in the first document. This tab's nodes are not copied merely because of
   * their content.
   */
  private readonly own: ClockRanges;
  private readonly moved = new ClockRanges();
  private readonly twins = new Map<AnyType, AnyType>();

  constructor(doc: Y.Doc, held: ReadonlyMap<number, number>, own: ClockRanges) {
    this.doc = doc;
    this.held = held;
    this.own = own;
  }

  /** Pairs a type of the first document with its counterpart in the second. */
  pair(from: AnyType, to: AnyType): void {
    this.twins.set(from, to);
  }

  /** Splits a range into copied parts, with their ids in the second document, and the rest. */
  parts(range: Range): ReturnType<ClockRanges["parts"]> {
    return this.moved.parts(range);
  }

  /** Copies an item, or part of it, to its place. Returns null if its parent is gone. */
  place(transaction: Y.Transaction, place: Place): Y.Item | null {
    const { item, offset, length } = place;
    const parent = this.twin(transaction, item.parent);
    if (!parent) return null;
    const content = cut(item.content.copy(), offset, length);
    const key = item.parentSub;
    const at =
      key === null
        ? { parent, left: this.leftOf(transaction, place) }
        : { parent, left: parent._map.get(key) ?? null, key };
    const placed = insertItem(transaction, at, content);
    this.moved.add(
      { client: item.id.client, clock: item.id.clock + offset, length },
      placed.id.clock,
    );
    return placed;
  }

  /**
   * Returns the item in `doc` to insert after: the nearest left neighbour that exists there, or the
   * item left of the nearest right neighbour. Both directions are searched at once, so that the
   * search takes no more steps than the shorter direction.
   */
  private leftOf(transaction: Y.Transaction, { item, offset, length }: Place): Y.Item | null {
    let left: Y.Item | null = item;
    let before = item.id.clock + offset;
    let right: Y.Item | null = item;
    let after = item.id.clock + offset + length;
    while (left) {
      this.steps += 1;
      const last = this.lastHeld(left, before);
      if (last) return Y.getItemCleanEnd(transaction, this.doc.store, last);
      left = left.left;
      if (left) before = left.id.clock + left.length;
      const next: Id | null = right && this.firstHeld(right, after);
      if (next) return Y.getItemCleanStart(transaction, Y.createID(next.client, next.clock)).left;
      right = right && right.right;
      if (right) after = right.id.clock;
    }
    return null;
  }

  /** Returns the id in `doc` of the last clock of an item before `end` that `doc` holds. */
  private lastHeld({ id: { client, clock } }: Y.Item, end: number): Y.ID | null {
    if (end <= clock) return null;
    const last = this.moved.lastWithin(client, clock, end);
    const to = last === null ? null : this.moved.at(client, last);
    if (to !== null) return Y.createID(this.doc.clientID, to);
    const held = Math.min(this.held.get(client) ?? 0, end);
    return held > clock ? Y.createID(client, held - 1) : null;
  }

  private firstHeld({ id: { client, clock }, length }: Y.Item, start: number): Y.ID | null {
    if (start >= clock + length) return null;
    if (start < (this.held.get(client) ?? 0)) return Y.createID(client, start);
    const first = this.moved.firstWithin(client, start, clock + length);
    const to = first === null ? null : this.moved.at(client, first);
    return to === null ? null : Y.createID(this.doc.clientID, to);
  }

  /**
   * Returns the counterpart in `doc` of a type in the first document. Null if the type, and thus
   * its content, is gone.
   */
  private twin(transaction: Y.Transaction, type: unknown): AnyType | null {
    if (!(type instanceof Y.AbstractType)) return null;
    const known = this.twins.get(type);
    if (known) return known;
    const item = type._item;
    if (!item) return null;
    const { client, clock } = item.id;
    let id: Id | null = clock < (this.held.get(client) ?? 0) ? item.id : null;
    const moved = this.moved.at(client, clock);
    if (moved !== null) id = { client: this.doc.clientID, clock: moved };
    const struct = id
      ? structAt(this.doc, id.client, id.clock)
      : this.own.has(client, clock)
        ? null
        : this.copyOfOthers(transaction, item);
    if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentType)) return null;
    this.twins.set(type, struct.content.type);
    return struct.content.type;
  }

  /** Copies another author's node that contains something of this tab's, and its attributes. */
  private copyOfOthers(transaction: Y.Transaction, item: Y.Item): Y.Item | null {
    const copy = this.place(transaction, { item, offset: 0, length: 1 });
    if (
      !copy ||
      !(copy.content instanceof Y.ContentType) ||
      !(item.content instanceof Y.ContentType)
    )
      return null;
    for (const [key, attribute] of item.content.type._map) {
      if (attribute.deleted || this.own.has(attribute.id.client, attribute.id.clock)) continue;
      insertItem(
        transaction,
        { parent: copy.content.type, left: copy.content.type._map.get(key) ?? null, key },
        attribute.content.copy(),
      );
    }
    return copy;
  }
}

function cut(content: Y.Item["content"], offset: number, length: number): Y.Item["content"] {
  const part = offset > 0 ? content.splice(offset) : content;
  if (length < part.getLength()) part.splice(length);
  return part;
}

import * as Y from "yjs";
import type { Return } from "@/events/analysis/lineage/returns";
import type { LivedUnit, RecordedDocument } from "@/events/history/recorded-document";

type AnyType = Y.ContentType["type"];

/** Returns a key that distinguishes one node, mark or value from another. */
function shapeOf({ content }: Y.Item): string {
  if (content instanceof Y.ContentType)
    return content.type instanceof Y.XmlElement ? `<${content.type.nodeName}>` : "text";
  if (content instanceof Y.ContentFormat) return `${content.key}=${JSON.stringify(content.value)}`;
  return JSON.stringify(content.getContent());
}

const isLetters = ({ content }: Y.Item) =>
  content instanceof Y.ContentString || content instanceof Y.ContentDeleted;

const nameOf = ({ client, clock }: { client: number; clock: number }) => `${client}:${clock}`;

/**
 * Tracks which nodes, marks and attributes of a recorded document continue which. A restore inserts
 * a copy right after the place of its source, and the copy counts as the same node or mark.
 */
export class UnitChains {
  private readonly record: RecordedDocument;
  private readonly returns: readonly Return[];
  private readonly chains = new Map<string, LivedUnit[]>();
  private readonly found: { source: Y.Item; copy: Y.Item; born: number }[] = [];

  constructor(record: RecordedDocument, returns: readonly Return[]) {
    this.record = record;
    this.returns = returns;
    if (returns.length === 0) return;
    this.read(record.fragment, null);
    this.link();
  }

  /**
   * Returns the successive units of a node, mark or value, in order of time. A unit that was never
   * restored is alone.
   */
  chainOf(unit: LivedUnit): readonly LivedUnit[] {
    return this.chains.get(nameOf(unit)) ?? [unit];
  }

  private lifeOf({ id }: Y.Item): LivedUnit {
    return this.record.lifeOf(id.client, id.clock);
  }

  private returnAt(revision: number): Return | undefined {
    return this.returns.find(({ first, last }) => first <= revision && last >= revision);
  }

  /** Finds the sources of all units, past and present, in a list that `within` did not copy. */
  private read(list: AnyType, within: Return | null): void {
    for (let item = list._start; item; item = item.right) {
      if (isLetters(item)) continue;
      const event = this.returnAt(this.lifeOf(item).born);
      if (event && event !== within) this.pair(item, this.originOf(item, event), event);
      if (item.content instanceof Y.ContentType) this.read(item.content.type, event ?? null);
    }
    for (const latest of list._map.values())
      for (let value: Y.Item | null = latest; value; value = value.left) {
        const event = this.returnAt(this.lifeOf(value).born);
        const source = event && event !== within ? this.valueBefore(value, event) : null;
        if (event) this.pair(value, source, event);
      }
  }

  private pair(copy: Y.Item, source: Y.Item | null, event: Return): void {
    if (!source) return;
    this.found.push({ source, copy, born: this.lifeOf(copy).born });
    if (source.content instanceof Y.ContentType && copy.content instanceof Y.ContentType)
      this.pairWithin(source.content.type, copy.content.type, event);
  }

  /** Pairs the content of a copied node, in order, with its source. */
  private pairWithin(from: AnyType, to: AnyType, event: Return): void {
    let source = from._start;
    for (let copy = to._start; copy; copy = copy.right) {
      if (isLetters(copy) || this.returnAt(this.lifeOf(copy).born) !== event) continue;
      const shape = shapeOf(copy);
      let near = source;
      while (near && (isLetters(near) || !this.means(near, event) || shapeOf(near) !== shape))
        near = near.right;
      if (!near) continue;
      this.pair(copy, near, event);
      source = near.right;
    }
    for (const [key, value] of to._map) {
      if (this.returnAt(this.lifeOf(value).born) !== event) continue;
      const shape = shapeOf(value);
      let near = from._map.get(key) ?? null;
      while (near && shapeOf(near) !== shape) near = near.left;
      this.pair(value, near, event);
    }
  }

  private means(item: Y.Item, event: Return): boolean {
    const { born, died } = this.lifeOf(item);
    return born < event.first && died <= event.last && event.means(born, died);
  }

  /** Returns the item right before a copy, if that item is its source. */
  private originOf(copy: Y.Item, event: Return): Y.Item | null {
    const { origin } = copy;
    if (!origin || origin.client === copy.id.client) return null;
    const source = Y.getItem(this.record.doc.store, origin);
    return source instanceof Y.Item &&
      !isLetters(source) &&
      shapeOf(source) === shapeOf(copy) &&
      this.means(source, event)
      ? source
      : null;
  }

  private valueBefore(copy: Y.Item, event: Return): Y.Item | null {
    const shape = shapeOf(copy);
    for (let value = copy.left; value; value = value.left)
      if (shapeOf(value) === shape && this.means(value, event)) return value;
    return null;
  }

  /** Links all copies of one node into one chain, in which the second copy continues the first. */
  private link(): void {
    const ordered = this.found.toSorted((one, other) => one.born - other.born);
    for (const { source, copy } of ordered) {
      const unit = this.lifeOf(source);
      const chain = this.chains.get(nameOf(unit)) ?? [unit];
      const next = this.lifeOf(copy);
      const last = chain.at(-1);
      if (!last || last.died > next.born || this.chains.has(nameOf(next))) continue;
      chain.push(next);
      this.chains.set(nameOf(unit), chain);
      this.chains.set(nameOf(next), chain);
    }
  }
}

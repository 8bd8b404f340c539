import * as Y from "yjs";
import { unitsPerBlock } from "./revision-tokens";
import type { LivedUnit, RecordedDocument } from "@/events/history/recorded-document";

type Span = readonly [from: number, to: number];
type AnyType = Y.ContentType["type"];

const nameOf = ({ client, clock }: { client: number; clock: number }) => `${client}:${clock}`;

/**
 * Counts the units of all content that a block ever held, in the order of its timeline's
 * full-history text, and collects the ones within the spans.
 */
class Counter {
  readonly found = new Set<string>();
  private unit = 0;
  private readonly record: RecordedDocument;
  private readonly last: number;
  private readonly spans: readonly Span[];

  constructor(record: RecordedDocument, last: number, spans: readonly Span[]) {
    this.record = record;
    this.last = last;
    this.spans = spans;
  }

  countFrom(unit: number, item: Y.Item): void {
    this.unit = unit;
    this.item(item, false);
  }

  private item(item: Y.Item, within: boolean): void {
    const { client, clock } = item.id;
    if (!(item.content instanceof Y.ContentType)) {
      const counted =
        item.content instanceof Y.ContentString || item.content instanceof Y.ContentFormat;
      for (let offset = 0; counted && offset < item.length; offset += 1)
        this.count(client, clock + offset);
      return;
    }
    // Content created after the timeline's newest revision is not in its full-history text.
    if (this.record.lifeOf(client, clock).born > this.last) return;
    const { type } = item.content;
    if (type instanceof Y.XmlElement) {
      this.count(client, clock);
      const found = this.found.has(nameOf({ client, clock }));
      if (found && item.deleted) this.attributes(type);
      return this.list(type, found);
    }
    // A textblock has no unit of its own. It is collected with its block or its letters.
    const before = this.found.size;
    this.list(type, within);
    if (within || this.found.size > before) this.found.add(nameOf({ client, clock }));
  }

  /** Collects the attributes of a deleted node, such as a heading's level, which return with it. */
  private attributes(type: AnyType): void {
    for (const latest of type._map.values()) {
      for (let item: Y.Item | null = latest; item; item = item.left) {
        for (let offset = 0; offset < item.length; offset += 1)
          this.found.add(nameOf({ client: item.id.client, clock: item.id.clock + offset }));
      }
    }
  }

  private list(type: AnyType, within: boolean): void {
    for (let item = type._start; item; item = item.right) this.item(item, within);
  }

  private count(client: number, clock: number): void {
    if (this.record.lifeOf(client, clock).born > this.last) return;
    const { unit } = this;
    this.unit += 1;
    if (this.spans.some(([from, to]) => unit >= from && unit <= to))
      this.found.add(nameOf({ client, clock }));
  }
}

/**
 * Returns a predicate: whether a unit of a record is among the given units (`spans`) of an earlier
 * timeline's full-history text. `keys` are the keys of that timeline's blocks, and `last` is its
 * newest revision.
 */
export function unitsWithin(
  record: RecordedDocument,
  keys: readonly string[],
  last: number,
  spans: readonly Span[],
): (unit: LivedUnit) => boolean {
  const indexes = new Set(
    spans.flatMap(([from, to]) => {
      const first = Math.floor(from / unitsPerBlock);
      return Array.from(
        { length: Math.floor(to / unitsPerBlock) - first + 1 },
        (_, index) => first + index,
      );
    }),
  );
  const indexOf = new Map(keys.flatMap((key, index) => (indexes.has(index) ? [[key, index]] : [])));
  const counter = new Counter(record, last, spans);
  for (let item = record.fragment._start; item; item = item.right) {
    const index = indexOf.get(nameOf(item.id));
    if (index !== undefined) counter.countFrom(index * unitsPerBlock, item);
  }
  return (unit) => counter.found.has(nameOf(unit));
}

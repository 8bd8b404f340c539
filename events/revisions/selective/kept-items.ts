import * as Y from "yjs";
import type { Id } from "@/events/crdt/updates/yjs-update";
import type { RecordedDocument } from "@/events/history/recorded-document";
import type { KeepPredicate } from "./keeping";

export type AnyType = Y.ContentType["type"];

/** The deepest nesting that is read. */
export const deepest = 64;

export const nameOf = ({ client, clock }: Id) => `${client}:${clock}`;

/** The items of a document that a keep-predicate selects. */
export class KeptItems {
  readonly record: RecordedDocument;
  private readonly keepPredicate: KeepPredicate;
  private readonly anchors: ReadonlySet<string>;

  /** `anchors` are clocks to which data outside the text points. Runs are split there. */
  constructor(record: RecordedDocument, keepPredicate: KeepPredicate, anchors: readonly Id[]) {
    this.record = record;
    this.keepPredicate = keepPredicate;
    this.anchors = new Set(anchors.map(nameOf));
  }

  keeps(item: Y.Item, offset = 0): boolean {
    return this.keepPredicate(this.record.lifeOf(item.id.client, item.id.clock + offset));
  }

  runsOf(item: Y.Item): { from: number; to: number; kept: boolean }[] {
    // Destroyed content, and content deleted before it was sent, cannot return.
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

  /**
   * Returns the latest kept value of an attribute: `standing`, a copy of an earlier value, or null
   * if none is kept.
   */
  valueOf(latest: Y.Item): Y.ContentAny | "standing" | null {
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

  /** Whether any content of a deleted node is kept. */
  hasAny(from: AnyType, depth = 0): boolean {
    for (let item = depth < deepest ? from._start : null; item; item = item.right) {
      if (this.runsOf(item).some(({ kept }) => kept)) return true;
      if (item.content instanceof Y.ContentType && this.hasAny(item.content.type, depth + 1))
        return true;
    }
    return false;
  }
}

import { never } from "@/events/crdt/updates/lifespans";
import { rewritingOf } from "./rewriting";
import type { Lives, Rewriting } from "./rewriting";
import { scriptOf, textAt } from "@/events/history/timeline/script";
import type { TextblockHistory } from "@/events/history/timeline/script";
import { StandingSet } from "./standing-set";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * Words that once stood together: their place in the script, from the revision `since` to before
 * the revision `until`.
 */
export type Found = {
  textblock: number;
  /** The offsets of the first and last character. */
  start: number;
  end: number;
  /** The words as they were written. */
  text: string;
  since: number;
  /** The first revision at which they no longer stood together, or null if they still do. */
  until: number | null;
  /** Whether a character was deleted at `until`. If not, text was inserted between them. */
  gone: boolean;
};

type Occurrence = { end: number; since: number };

/** Returns a textblock's changes in order of time, as revisions and offsets. */
function changesOf({ born, died }: TextblockHistory): {
  revisions: Uint32Array;
  offsets: Uint32Array;
} {
  const order: number[] = [];
  for (let offset = 0; offset < born.length; offset += 1) {
    order.push((born[offset] ?? 0) * 2 ** 21 + offset);
    if (died[offset] !== never) order.push((died[offset] ?? 0) * 2 ** 21 + offset);
  }
  const sorted = Float64Array.from(order).sort();
  return {
    revisions: Uint32Array.from(sorted, (key) => Math.floor(key / 2 ** 21)),
    offsets: Uint32Array.from(sorted, (key) => key % 2 ** 21),
  };
}

class TextblockSearch {
  readonly found = new Map<number, Found>();
  private readonly open = new Map<number, Occurrence>();
  /** The last place checked since the latest change, or -1 if no place was checked. */
  private looked = -1;
  private readonly standing: StandingSet;
  private readonly folded: string;
  private readonly index: number;
  private readonly textblock: TextblockHistory;
  private readonly needle: string;
  private readonly gone: Uint32Array;

  constructor(
    index: number,
    textblock: TextblockHistory,
    needle: string,
    folded: string,
    { gone }: Lives,
  ) {
    this.index = index;
    this.textblock = textblock;
    this.gone = gone;
    this.needle = needle;
    this.folded = folded;
    this.standing = new StandingSet(textblock.text.length);
  }

  run(): Found[] {
    const { revisions, offsets } = changesOf(this.textblock);
    for (let at = 0; at < revisions.length;) {
      const revision = revisions[at] ?? 0;
      let end = at;
      for (; end < revisions.length && revisions[end] === revision; end += 1)
        this.change(offsets[end] ?? 0, revision);
      this.looked = -1;
      for (; at < end; at += 1) this.look(offsets[at] ?? 0, revision);
    }
    for (const [start, { end, since }] of this.open) this.store(start, end, since, null);
    return [...this.found.values()];
  }

  private change(offset: number, revision: number): void {
    if (this.textblock.born[offset] === revision && this.textblock.died[offset] !== revision)
      this.standing.add(offset);
    else this.standing.delete(offset);
  }

  /**
   * Checks every place near a changed character at which the words could begin. Checks a place only
   * once in a revision, whose changes are in the order of their places.
   */
  private look(changed: number, revision: number): void {
    this.close(changed, revision);
    let start = this.standing.has(changed) ? changed : this.standing.before(changed);
    if (start <= this.looked) return;
    for (let steps = 1; steps < this.needle.length; steps += 1) {
      const before = this.standing.before(start);
      if (before <= this.looked) break;
      start = before;
    }
    for (; start !== -1 && start <= changed; start = this.standing.after(start)) {
      this.check(start, revision);
      this.looked = start;
    }
  }

  private check(start: number, revision: number): void {
    const end = this.matchFrom(start);
    const open = this.open.get(start);
    if (open?.end === end) return;
    if (open) this.close(start, revision);
    if (end !== -1) this.open.set(start, { end, since: revision });
  }

  /** Ends the match that began at a character, if it no longer holds. */
  private close(start: number, revision: number): void {
    const open = this.open.get(start);
    if (!open || (this.standing.has(start) && this.matchFrom(start) === open.end)) return;
    this.open.delete(start);
    this.store(start, open.end, open.since, revision);
  }

  private matchFrom(start: number): number {
    let at = start;
    for (let index = 0; index < this.needle.length; index += 1) {
      if (at === -1 || this.folded[at] !== this.needle[index]) return -1;
      if (index === this.needle.length - 1) return at;
      at = this.standing.after(at);
    }
    return -1;
  }

  private store(start: number, end: number, since: number, until: number | null): void {
    if (until === since) return;
    const before = this.found.get(start);
    const text = textAt(this.textblock, (until ?? never) - 1, start, end + 1);
    this.found.set(start, {
      textblock: this.index,
      start,
      end,
      text,
      since: before?.since ?? since,
      until,
      gone: until !== null && this.hasDeletion(start, end, until),
    });
  }

  /** Whether a letter was finally deleted at a revision, and not rewritten or restored since. */
  private hasDeletion(start: number, end: number, revision: number): boolean {
    for (let offset = start; offset <= end; offset += 1)
      if (this.textblock.died[offset] === revision && this.gone[offset] === revision) return true;
    return false;
  }
}

/** Lower-cases a text, so that every letter keeps its offset. */
function foldCase(text: string): string {
  return [...text]
    .map((letter) =>
      letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
    )
    .join("");
}

function searched(
  index: number,
  textblock: TextblockHistory,
  needle: string,
  rewriting: Rewriting,
): Found[] {
  if (needle === "" || textblock.text.length < needle.length || textblock.text.length >= 2 ** 21)
    return [];
  const folded = foldCase(textblock.text);
  for (const letter of needle) if (!folded.includes(letter)) return [];
  return new TextblockSearch(index, textblock, needle, folded, rewriting.livesOf(textblock)).run();
}

/**
 * Returns a sort key for when words ended. Words that were finally deleted sort by their deletion,
 * even if restores displayed them later.
 */
function endOf({ until, gone }: Found): number {
  if (until === null) return never * 2;
  return gone ? never + until : until;
}

/**
 * Merges occurrences of rewritten words. They are the same words: the result stands from the first
 * occurrence's revision on, at the place of the last occurrence.
 */
function gathered(found: readonly Found[], rewriting: Rewriting): Found[] {
  const known = new Map<string, Found>();
  for (const each of found) {
    const { textblock, offset } = rewriting.originOf({
      textblock: each.textblock,
      offset: each.start,
    });
    const key = `${textblock}:${offset}`;
    const before = known.get(key);
    const later = before && endOf(before) > endOf(each) ? before : each;
    known.set(key, before ? { ...later, since: Math.min(before.since, each.since) } : each);
  }
  return [...known.values()];
}

/** The most letters of a search, each of which is compared at every place. */
export const longestSearch = 200;

/**
 * Finds words that ever stood together in a textblock of the document, ignoring case. Deleted words
 * are listed first, the latest deletion at the top. `words` is trimmed and cut to 200 letters.
 */
export function searchThroughTime(timeline: Timeline, words: string): Found[] {
  const needle = foldCase(words.trim().slice(0, longestSearch));
  const rewriting = rewritingOf(timeline);
  const found = scriptOf(timeline).textblocks.flatMap((textblock, index) =>
    searched(index, textblock, needle, rewriting),
  );
  const went = ({ gone, until }: Found) => (gone ? (until ?? -1) : -1);
  return gathered(found, rewriting).sort(
    (a, b) => went(b) - went(a) || a.textblock - b.textblock || a.start - b.start,
  );
}

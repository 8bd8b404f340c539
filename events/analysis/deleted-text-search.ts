import { never } from "@/events/crdt/updates/lifespans";
import { type Lives, type Rewriting, rewritingOf } from "./rewriting";
import { type Line, scriptOf, textAt } from "@/events/history/timeline/script";
import { StandingSet } from "./standing-set";
import { type Timeline } from "@/events/history/timeline/timeline";

/** Words that once stood together: where in the script they began, and from which moment until before which. */
export type Found = {
  line: number;
  /** The offset of the first character, and of the last. */
  start: number;
  end: number;
  /** As they were written. */
  text: string;
  since: number;
  /** The moment at which they stood together no longer; null where they still do. */
  until: number | null;
  /** Whether any of their characters went then; else they were parted by what was put between them. */
  gone: boolean;
};

type Occurrence = { end: number; since: number };

/** The changes of a line in the order of time: at which moment, to which offset. */
function changesOf({ born, died }: Line): { moments: Uint32Array; offsets: Uint32Array } {
  const order: number[] = [];
  for (let offset = 0; offset < born.length; offset += 1) {
    order.push((born[offset] ?? 0) * 2 ** 21 + offset);
    if (died[offset] !== never) order.push((died[offset] ?? 0) * 2 ** 21 + offset);
  }
  const sorted = Float64Array.from(order).sort();
  return {
    moments: Uint32Array.from(sorted, (key) => Math.floor(key / 2 ** 21)),
    offsets: Uint32Array.from(sorted, (key) => key % 2 ** 21),
  };
}

class LineSearch {
  readonly found = new Map<number, Found>();
  private readonly open = new Map<number, Occurrence>();
  private readonly standing: StandingSet;
  private readonly folded: string;
  private readonly index: number;
  private readonly line: Line;
  private readonly wanted: string;
  private readonly died: Uint32Array;

  constructor(index: number, line: Line, wanted: string, folded: string, { died }: Lives) {
    this.index = index;
    this.line = line;
    this.died = died;
    this.wanted = wanted;
    this.folded = folded;
    this.standing = new StandingSet(line.text.length);
  }

  run(): Found[] {
    const { moments, offsets } = changesOf(this.line);
    for (let at = 0; at < moments.length;) {
      const moment = moments[at] ?? 0;
      let end = at;
      for (; end < moments.length && moments[end] === moment; end += 1)
        this.change(offsets[end] ?? 0, moment);
      for (; at < end; at += 1) this.look(offsets[at] ?? 0, moment);
    }
    for (const [start, { end, since }] of this.open) this.keep(start, end, since, null);
    return [...this.found.values()];
  }

  private change(offset: number, moment: number): void {
    if (this.line.born[offset] === moment && this.line.died[offset] !== moment)
      this.standing.add(offset);
    else this.standing.delete(offset);
  }

  /** Looks anew at every place near a changed character where the words could begin. */
  private look(changed: number, moment: number): void {
    this.close(changed, moment);
    let start = this.standing.has(changed) ? changed : this.standing.before(changed);
    for (let steps = 1; steps < this.wanted.length && start !== -1; steps += 1) {
      const before = this.standing.before(start);
      if (before === -1) break;
      start = before;
    }
    for (; start !== -1 && start <= changed; start = this.standing.after(start))
      this.check(start, moment);
  }

  private check(start: number, moment: number): void {
    const end = this.matchFrom(start);
    const open = this.open.get(start);
    if (open?.end === end) return;
    if (open) this.close(start, moment);
    if (end !== -1) this.open.set(start, { end, since: moment });
  }

  /** Ends what began at a character that has gone. */
  private close(start: number, moment: number): void {
    const open = this.open.get(start);
    if (!open || (this.standing.has(start) && this.matchFrom(start) === open.end)) return;
    this.open.delete(start);
    this.keep(start, open.end, open.since, moment);
  }

  private matchFrom(start: number): number {
    let at = start;
    for (let index = 0; index < this.wanted.length; index += 1) {
      if (at === -1 || this.folded[at] !== this.wanted[index]) return -1;
      if (index === this.wanted.length - 1) return at;
      at = this.standing.after(at);
    }
    return -1;
  }

  private keep(start: number, end: number, since: number, until: number | null): void {
    if (until === since) return;
    const before = this.found.get(start);
    const text = textAt(this.line, (until ?? never) - 1, start, end + 1);
    this.found.set(start, {
      line: this.index,
      start,
      end,
      text,
      since: before?.since ?? since,
      until,
      gone: until !== null && this.hasLost(start, end, until),
    });
  }

  /** Whether a character went at a moment for good; one that was written anew in the same edit did not. */
  private hasLost(start: number, end: number, moment: number): boolean {
    for (let offset = start; offset <= end; offset += 1)
      if (this.line.died[offset] === moment && this.died[offset] === moment) return true;
    return false;
  }
}

/** A text in which letters of either case are the same; every letter keeps its place. */
function foldCase(text: string): string {
  return [...text]
    .map((letter) =>
      letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
    )
    .join("");
}

function searched(index: number, line: Line, wanted: string, rewriting: Rewriting): Found[] {
  if (wanted === "" || line.text.length < wanted.length || line.text.length >= 2 ** 21) return [];
  const folded = foldCase(line.text);
  for (const letter of wanted) if (!folded.includes(letter)) return [];
  return new LineSearch(index, line, wanted, folded, rewriting.livesOf(line)).run();
}

/** Words that were written anew are the same words, from when they first stood together, where they stood last. */
function gathered(found: readonly Found[], rewriting: Rewriting): Found[] {
  const known = new Map<string, Found>();
  for (const each of found) {
    const { line, offset } = rewriting.originOf({ line: each.line, offset: each.start });
    const key = `${line}:${offset}`;
    const before = known.get(key);
    const later = before && (before.until ?? never) > (each.until ?? never) ? before : each;
    known.set(key, before ? { ...later, since: Math.min(before.since, each.since) } : each);
  }
  return [...known.values()];
}

/**
 * Finds words that ever stood together in a line of the document, whatever became of them; letter case does not matter.
 * What is gone comes first, the latest to go before the others. Spaces at the ends of `words` are not looked for.
 */
export function searchThroughTime(timeline: Timeline, words: string): Found[] {
  const wanted = foldCase(words.trim());
  const rewriting = rewritingOf(timeline);
  const found = scriptOf(timeline).lines.flatMap((line, index) =>
    searched(index, line, wanted, rewriting),
  );
  const went = ({ gone, until }: Found) => (gone ? (until ?? -1) : -1);
  return gathered(found, rewriting).sort(
    (a, b) => went(b) - went(a) || a.line - b.line || a.start - b.start,
  );
}

import { unchangedWords } from "@/events/analysis/comparison/unchanged-words";
import { inWrittenOrder } from "@/events/analysis/rewritten/written-order";
import { bornStep, diedStep } from "@/events/history/timeline/life-runs";
import type { LifeRuns } from "@/events/history/timeline/life-runs";
import { lastUpTo } from "@/events/core/binary-search";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * Characters that a revision deleted and wrote again elsewhere: `length` of them, from `from` on,
 * stand from `to` on.
 */
export type RewrittenRun = { revision: number; from: number; to: number; length: number };

type Span = { at: number; length: number };
/** What one revision deleted and inserted, in page order. */
type Work = { gone: Span[]; come: Span[] };

const [brought, took] = [1, 2];

/**
 * Visits characters that were inserted together and deleted together. It passes numbers and
 * allocates nothing, since a long history has as many entries as letters.
 */
function eachLife(
  { start, born, died, steps, length }: LifeRuns,
  take: (at: number, length: number, born: number, died: number) => void,
): void {
  for (let run = 0; run < start.length; run += 1) {
    const [from, to, going] = [start[run] ?? 0, start[run + 1] ?? length, steps[run] ?? 0];
    const [firstBorn, firstDied, bornOn, diedOn] = [
      born[run] ?? 0,
      died[run] ?? 0,
      bornStep(going),
      diedStep(going),
    ];
    if (going === 0) take(from, to - from, firstBorn, firstDied);
    else
      for (let at = from; at < to; at += 1)
        take(at, 1, firstBorn + (at - from) * bornOn, firstDied + (at - from) * diedOn);
  }
}

/**
 * Written into a block that was already deleted, by a person who did not know, or deleted at once:
 * never part of the text.
 */
const neverStood = (born: number, died: number) => died <= born;

/** The deletions and insertions of each revision that did both. */
function worksOf(runs: LifeRuns, revisionCount: number): Map<number, Work> {
  const did = new Uint8Array(revisionCount);
  eachLife(runs, (_at, _length, born, died) => {
    if (neverStood(born, died)) return;
    did[born] = (did[born] ?? 0) | brought;
    if (died < revisionCount) did[died] = (did[died] ?? 0) | took;
  });
  const works = new Map<number, Work>();
  const workAt = (revision: number): Work => {
    const work = works.get(revision) ?? { gone: [], come: [] };
    works.set(revision, work);
    return work;
  };
  eachLife(runs, (at, length, born, died) => {
    if (neverStood(born, died)) return;
    if (did[born] === (brought | took)) workAt(born).come.push({ at, length });
    if (did[died] === (brought | took)) workAt(died).gone.push({ at, length });
  });
  return works;
}

/** The words of spans, textblock by textblock. */
function wordsOf(spans: readonly Span[], { textblocks, placeAt }: Script): string[] {
  const words: string[] = [];
  let last = -1;
  for (const { at, length } of spans) {
    const { textblock, offset } = placeAt(at);
    const text = textblocks[textblock]?.text.slice(offset, offset + length) ?? "";
    if (textblock === last) words.push((words.pop() ?? "") + text);
    else words.push(text);
    last = textblock;
  }
  return words;
}

/** The parts of a span whose characters are not accounted for yet. */
function cut({ at, length }: Span, isFree: (at: number) => boolean): Span[] {
  const left: Span[] = [];
  for (let place = at; place < at + length; place += 1) {
    if (!isFree(place)) continue;
    const last = left.at(-1);
    if (last && last.at + last.length === place) last.length += 1;
    else left.push({ at: place, length: 1 });
  }
  return left;
}

/** Maps an offset in all spans together to their places in the script. */
function placer(spans: readonly Span[]): (from: number, length: number) => Generator<Span> {
  const starts = new Uint32Array(spans.length);
  spans.forEach(({ length }, index) => (starts[index + 1] = (starts[index] ?? 0) + length));
  return function* (from, length) {
    for (let index = lastUpTo(starts, from), passed = from; passed < from + length; index += 1) {
      const span = spans[index];
      if (!span) return;
      const skipped = passed - (starts[index] ?? 0);
      const taken = Math.min(from + length - passed, span.length - skipped);
      yield { at: span.at + skipped, length: taken };
      passed += taken;
    }
  };
}

function* pairedSpans(
  gone: Iterable<Span>,
  come: Iterable<Span>,
): Generator<Omit<RewrittenRun, "revision">> {
  const [left, right] = [gone[Symbol.iterator](), come[Symbol.iterator]()];
  let [a, b] = [left.next().value, right.next().value];
  while (a && b) {
    const length = Math.min(a.length, b.length);
    yield { from: a.at, to: b.at, length };
    a = length < a.length ? { at: a.at + length, length: a.length - length } : left.next().value;
    b = length < b.length ? { at: b.at + length, length: b.length - length } : right.next().value;
  }
}

/**
 * Text that one edit deleted and wrote again in the same words, as an editor does when blocks are
 * split, joined, retyped or moved; only of revisions that `isOf` accepts. Revisions that are
 * `isMixed` brought the work of many edits at once. Earliest first.
 */
export function rewrittenRuns(
  { historyText, length }: Pick<Timeline, "historyText" | "length">,
  script: Script,
  isOf: (revision: number) => boolean,
  isFree: ((at: number) => boolean) | null,
  isMixed: (revision: number) => boolean,
): RewrittenRun[] {
  const found: RewrittenRun[] = [];
  for (const [revision, { gone, come: all }] of [...worksOf(historyText.columns.runs, length)].sort(
    ([one], [other]) => one - other,
  )) {
    if (!isOf(revision)) continue;
    const free = isFree ? all.flatMap((span) => cut(span, isFree)) : all;
    const come = isMixed(revision) ? inWrittenOrder(free, historyText) : free;
    const [left, right] = [placer(gone), placer(come)];
    for (const { from, to, length: many } of unchangedWords(
      wordsOf(gone, script),
      wordsOf(come, script),
    )) {
      for (const run of pairedSpans(left(from, many), right(to, many)))
        found.push({ revision, ...run });
    }
  }
  return found;
}

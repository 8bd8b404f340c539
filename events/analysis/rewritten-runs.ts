import { unchangedWords } from "@/events/analysis/comparison/unchanged-words";
import { inWrittenOrder } from "@/events/analysis/rewritten/written-order";
import { bornStep, diedStep } from "@/events/history/timeline/life-runs";
import type { LifeRuns } from "@/events/history/timeline/life-runs";
import { lastUpTo } from "@/events/core/binary-search";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * Characters that a revision deleted and wrote again elsewhere: `length` characters, from `from`
 * on, stand again from `to` on.
 */
export type RewrittenRun = { revision: number; from: number; to: number; length: number };

type Span = { at: number; length: number };
/** The text that one revision deleted and inserted, in page order. */
type Work = { gone: Span[]; come: Span[] };

const [brought, took] = [1, 2];

/**
 * Visits the characters that were inserted together and deleted together. Passes numbers and
 * allocates nothing, because a long history has as many entries as letters.
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
 * Whether text never stood. It was deleted at once, or written into a block that was already
 * deleted by a person who had not received the deletion.
 */
const neverStood = (born: number, died: number) => died <= born;

/** Returns the deletions and insertions of each revision that both deleted and inserted text. */
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

/** Returns the words of spans, one text for each textblock. */
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

/** Returns the parts of a span whose characters are free, that is, have no source yet. */
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

/** Returns a function that maps a range in the joined text of all spans to places in the script. */
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
 * Returns the text that one edit deleted and wrote again in the same words, as an editor does when
 * blocks are split, joined, retyped or moved. Considers only revisions that `isOf` accepts.
 * Revisions that `isMixed` accepts hold the work of many edits. Earliest first.
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

import type { Found } from "./deleted-text-search";
import type { PassageRange } from "./passage";
import { passageAt } from "./returning-passage";
import { rewritingOf } from "./rewriting";
import { scriptOf } from "@/events/history/timeline/script";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { never } from "@/events/crdt/updates/lifespans";

/**
 * A deleted passage: its text (with textblocks separated by line breaks), its place in the script,
 * and the last revision at which it stood there.
 */
export type DeletedPassage = { text: string; range: PassageRange; at: number };

/** The most consecutive empty textblocks between two textblocks that were deleted together. */
const mostBetween = 1_000;

type Life = { born: number; died: number };

/**
 * A character's outcome in the burst that deleted the words: `absent` did not stand, `stayed` still
 * stands, and `went` was deleted.
 */
type Outcome = "absent" | "stayed" | "went";

/**
 * Returns the whole passage that was deleted with a search result: the text around it that the same
 * person deleted without a longer pause, across textblocks. Null if no character of the result was
 * deleted.
 */
export function deletedPassageOf(
  timeline: Timeline,
  { textblock, start, end, until, gone }: Found,
): DeletedPassage | null {
  if (until === null || !gone) return null;
  const { textblocks } = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  const [group, groupEnd] = [timeline.groupBefore(until + 1), timeline.groupAfter(until)];
  const outcomesIn = (index: number): ((offset: number) => Outcome) | null => {
    const own = textblocks[index];
    if (!own) return null;
    const { died } = rewriting.livesOf(own);
    return (offset) => {
      if ((own.born[offset] ?? never) >= until || (own.died[offset] ?? 0) < group) return "absent";
      return (died[offset] ?? never) < groupEnd ? "went" : "stayed";
    };
  };
  const lives: Life[] = [];
  const furthest = (from: Place, step: 1 | -1): Place => {
    let last = from;
    for (let index = from.textblock, between = 0; between < mostBetween; index += step) {
      const outcomeOf = outcomesIn(index);
      if (!outcomeOf) return last;
      const length = textblocks[index]?.text.length ?? 0;
      let empty = true;
      for (
        let at = index === from.textblock ? from.offset : step > 0 ? 0 : length - 1;
        at >= 0 && at < length;
        at += step
      ) {
        const outcome = outcomeOf(at);
        if (outcome === "stayed") return last;
        if (outcome === "absent") continue;
        last = { textblock: index, offset: at };
        lives.push({
          born: textblocks[index]?.born[at] ?? 0,
          died: textblocks[index]?.died[at] ?? never,
        });
        empty = false;
      }
      between = empty ? between + 1 : 0;
    }
    return last;
  };
  const range = {
    start: furthest({ textblock, offset: start }, -1),
    end: furthest({ textblock, offset: end }, 1),
  };
  const outcomeOf = outcomesIn(textblock);
  let earliest = group - 1;
  for (let offset = start; offset <= end; offset += 1)
    if (outcomeOf?.(offset) === "went")
      earliest = Math.max(earliest, textblocks[textblock]?.born[offset] ?? 0);
  const at = fullest(lives, earliest, until - 1);
  return { text: passageAt(timeline, at, range), range, at };
}

/**
 * Returns the revision at which most characters stood, the last one if there are several. Text that
 * was written in the burst itself stood at no revision before the burst.
 */
function fullest(lives: readonly Life[], from: number, to: number): number {
  const changes = new Map<number, number>();
  const add = (revision: number, by: number) =>
    revision > from && revision <= to && changes.set(revision, (changes.get(revision) ?? 0) + by);
  let standing = 0;
  for (const { born, died } of lives) {
    if (born <= from && died > from) standing += 1;
    add(born, 1);
    add(died, -1);
  }
  let [best, most] = [from, standing];
  for (const [revision, by] of [...changes].sort(([one], [other]) => one - other)) {
    standing += by;
    if (standing >= most) [best, most] = [revision, standing];
  }
  return best;
}

import { type Found } from "./deleted-text-search";
import { type PassageRange } from "./passage";
import { passageAt } from "./returning-passage";
import { rewritingOf } from "./rewriting";
import { type Place, scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { never } from "@/events/crdt/updates/lifespans";

/** A passage that went: as it read, lines parted by line breaks, its place in the script, and the last moment at which it stood there. */
export type LostPassage = { text: string; range: PassageRange; at: number };

/** So many lines in which nothing stood then may lie between two that went together. */
const mostBetween = 1_000;

type Life = { born: number; died: number };

/** What became of a character in the go that took words away: it did not stand there, it stayed, or it went. */
type Fate = "absent" | "stayed" | "went";

/** The whole passage that what was found went with: what the same person took away there without a longer pause, over as many lines as it took. Null where nothing of it is gone. */
export function lostWith(
  timeline: Timeline,
  { line, start, end, until, gone }: Found,
): LostPassage | null {
  if (until === null || !gone) return null;
  const { lines } = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  const [group, groupEnd] = [timeline.groupBefore(until + 1), timeline.groupAfter(until)];
  const fatesIn = (index: number): ((offset: number) => Fate) | null => {
    const own = lines[index];
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
    for (let index = from.line, between = 0; between < mostBetween; index += step) {
      const fateOf = fatesIn(index);
      if (!fateOf) return last;
      const length = lines[index]?.text.length ?? 0;
      let empty = true;
      for (
        let at = index === from.line ? from.offset : step > 0 ? 0 : length - 1;
        at >= 0 && at < length;
        at += step
      ) {
        const fate = fateOf(at);
        if (fate === "stayed") return last;
        if (fate === "absent") continue;
        last = { line: index, offset: at };
        lives.push({ born: lines[index]?.born[at] ?? 0, died: lines[index]?.died[at] ?? never });
        empty = false;
      }
      between = empty ? between + 1 : 0;
    }
    return last;
  };
  const range = {
    start: furthest({ line, offset: start }, -1),
    end: furthest({ line, offset: end }, 1),
  };
  const fateOf = fatesIn(line);
  let earliest = group - 1;
  for (let offset = start; offset <= end; offset += 1)
    if (fateOf?.(offset) === "went") earliest = Math.max(earliest, lines[line]?.born[offset] ?? 0);
  const at = fullest(lives, earliest, until - 1);
  return { text: passageAt(timeline, at, range), range, at };
}

/** The moment, of some, at which most of them stood; the last if there are several. What was written in the go itself stood in none before it. */
function fullest(lives: readonly Life[], from: number, to: number): number {
  const changes = new Map<number, number>();
  const add = (moment: number, by: number) =>
    moment > from && moment <= to && changes.set(moment, (changes.get(moment) ?? 0) + by);
  let standing = 0;
  for (const { born, died } of lives) {
    if (born <= from && died > from) standing += 1;
    add(born, 1);
    add(died, -1);
  }
  let [best, most] = [from, standing];
  for (const [moment, by] of [...changes].sort(([one], [other]) => one - other)) {
    standing += by;
    if (standing >= most) [best, most] = [moment, standing];
  }
  return best;
}

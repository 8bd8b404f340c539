import {
  type ImportedPassage,
  type ContentOrigin,
  contentOriginOf,
} from "@/events/analysis/lineage/copy-in";
import { bornStep } from "@/events/history/timeline/life-runs";
import { rewritingOf } from "./rewriting";
import { type Line, type Place, scriptOf, standsAt } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** A stretch of standing text that one author wrote in one session, either by typing or at once. */
export type Passage = {
  line: number;
  /** The offsets in the line's script: the first character, and behind the last; what is gone may lie between. */
  from: number;
  to: number;
  text: string;
  /** An index into the timeline's authors. */
  author: number;
  /** The moments of its first and its last character. */
  first: number;
  last: number;
  atOnce: boolean;
  /** Set where it was written elsewhere: `author` then is who carried it here. */
  carried: ImportedPassage | null;
  /** The moment that brought it back after it had gone; null where it never went. */
  returned: number | null;
};

/** From how many characters on a single edit counts as inserted at once rather than typed. */
const fewestAtOnce = 32;

const sizes = new WeakMap<Timeline, Uint32Array>();

/** How many characters each moment brought into the text that it had not taken away itself. */
function sizesOf(timeline: Timeline): Uint32Array {
  const known = sizes.get(timeline);
  if (known) return known;
  const counted = new Uint32Array(timeline.length);
  const { runs } = timeline.historyText.columns;
  for (let run = 0; run < runs.start.length; run += 1) {
    const letters = (runs.start[run + 1] ?? runs.length) - (runs.start[run] ?? 0);
    const born = runs.born[run] ?? 0;
    const each = bornStep(runs.steps[run] ?? 0);
    if (each === 0) counted[born] = (counted[born] ?? 0) + letters;
    else
      for (let moment = born; moment < born + letters; moment += 1)
        counted[moment] = (counted[moment] ?? 0) + 1;
  }
  for (const [moment, copies] of rewritingOf(timeline).counts)
    counted[moment] = (counted[moment] ?? 0) - copies;
  sizes.set(timeline, counted);
  return counted;
}

/** Whether a moment brought its text in at once: pasted, dropped, brought back, put there by a program. */
export function isAtOnce(timeline: Timeline, moment: number): boolean {
  return (sizesOf(timeline)[moment] ?? 0) >= fewestAtOnce;
}

/** Who wrote the text that stood at a moment, passage by passage, in the order of the page. */
export function passagesAt(
  timeline: Timeline,
  at: number,
  contentOrigin = contentOriginOf(timeline),
): Passage[] {
  return scriptOf(timeline).lines.flatMap((whole, line) =>
    passagesIn(timeline, line, whole, at, contentOrigin),
  );
}

/** Whose passage a character is that stood at a moment; null where it did not stand. */
export function passageOf(
  timeline: Timeline,
  { line, offset }: Place,
  at: number,
  contentOrigin = contentOriginOf(timeline),
): Passage | null {
  const whole = scriptOf(timeline).lines[line];
  if (!whole) return null;
  return (
    passagesIn(timeline, line, whole, at, contentOrigin).find(
      ({ from, to }) => offset >= from && offset < to,
    ) ?? null
  );
}

function passagesIn(
  timeline: Timeline,
  line: number,
  whole: Line,
  at: number,
  contentOrigin: ContentOrigin,
): Passage[] {
  const { text } = whole;
  const rewriting = rewritingOf(timeline);
  const { born, copied } = rewriting.livesOf(whole);
  const passages: Passage[] = [];
  let open: Passage | null = null;
  for (let offset = 0; offset < text.length; offset += 1) {
    if (!standsAt(whole, offset, at)) continue;
    const moment = born[offset] ?? 0;
    const author = timeline.authorOf(moment);
    const letter = text[offset] ?? "";
    const carried =
      copied?.[offset] === 1
        ? rewriting.carried({ line, offset }, contentOrigin)
        : contentOrigin.of(whole, offset);
    const returned = copied?.[offset] === 1 ? rewriting.returnOf({ line, offset }) : null;
    if (
      open &&
      open.author === author &&
      open.carried === carried &&
      open.returned === returned &&
      (moment === open.last || isNear(timeline, open, moment))
    ) {
      open.to = offset + 1;
      open.text += letter;
      open.first = Math.min(open.first, moment);
      open.last = Math.max(open.last, moment);
    } else {
      const atOnce: boolean = carried === null && isAtOnce(timeline, moment);
      open = {
        line,
        from: offset,
        to: offset + 1,
        text: letter,
        author,
        first: moment,
        last: moment,
        atOnce,
        carried,
        returned,
      };
      passages.push(open);
    }
  }
  return passages;
}

function isNear(timeline: Timeline, passage: Passage, moment: number): boolean {
  const { timingMap } = timeline;
  return (
    timingMap.sessionOf(passage.last) === timingMap.sessionOf(moment) &&
    (passage.carried !== null || passage.atOnce === isAtOnce(timeline, moment))
  );
}

/** Whose the characters are that stood at a moment: how many each author wrote here, by index, and how many came from elsewhere. */
type Shares = { written: number[]; carried: Map<ImportedPassage, number> };

/** Counts the standing characters by who wrote them. */
export function sharesAt(timeline: Timeline, at: number, contentOrigin?: ContentOrigin): Shares {
  const written = timeline.authors.map(() => 0);
  const came = new Map<ImportedPassage, number>();
  for (const { author, carried, text } of passagesAt(timeline, at, contentOrigin)) {
    if (carried) came.set(carried, (came.get(carried) ?? 0) + text.length);
    else written[author] = (written[author] ?? 0) + text.length;
  }
  return { written, carried: came };
}

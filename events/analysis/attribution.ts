import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { ImportedPassage, ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { bornStep } from "@/events/history/timeline/life-runs";
import { rewritingOf } from "./rewriting";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { TextblockHistory, Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * Contiguous standing text that one author wrote in one session, either all typed or all inserted
 * at once.
 */
export type Passage = {
  textblock: number;
  /** Offsets in the script's textblock, `to` exclusive. Deleted characters may lie between. */
  from: number;
  to: number;
  text: string;
  /** An index into the timeline's authors. */
  author: number;
  /** The earliest and the latest revision of its characters. */
  first: number;
  last: number;
  atOnce: boolean;
  /** Set for imported content. `author` is then the person who imported it. */
  imported: ImportedPassage | null;
  /** The revision that restored the text after a deletion. Null if it was never deleted. */
  returned: number | null;
};

/** The fewest characters of a single edit that counts as inserted at once and not as typed. */
const fewestAtOnce = 32;

const sizes = new WeakMap<Timeline, Uint32Array>();

/** Counts the characters that each revision inserted, without copies. */
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
      for (let revision = born; revision < born + letters; revision += 1)
        counted[revision] = (counted[revision] ?? 0) + 1;
  }
  for (const [revision, copies] of rewritingOf(timeline).counts)
    counted[revision] = (counted[revision] ?? 0) - copies;
  sizes.set(timeline, counted);
  return counted;
}

/**
 * Whether a revision inserted its text at once: pasted, dropped, restored, or inserted by a
 * program.
 */
export function isAtOnce(timeline: Timeline, revision: number): boolean {
  return (sizesOf(timeline)[revision] ?? 0) >= fewestAtOnce;
}

/** Returns the passages of the text at a revision, with their authors, in page order. */
export function passagesAt(
  timeline: Timeline,
  at: number,
  contentOrigin = contentOriginOf(timeline),
): Passage[] {
  return scriptOf(timeline).textblocks.flatMap((whole, textblock) =>
    passagesIn(timeline, textblock, whole, at, contentOrigin),
  );
}

/** Returns the passage of a character at a revision, or null if the character did not stand. */
export function passageOf(
  timeline: Timeline,
  { textblock, offset }: Place,
  at: number,
  contentOrigin = contentOriginOf(timeline),
): Passage | null {
  const whole = scriptOf(timeline).textblocks[textblock];
  if (!whole) return null;
  return (
    passagesIn(timeline, textblock, whole, at, contentOrigin).find(
      ({ from, to }) => offset >= from && offset < to,
    ) ?? null
  );
}

function passagesIn(
  timeline: Timeline,
  textblock: number,
  whole: TextblockHistory,
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
    const revision = born[offset] ?? 0;
    const author = timeline.authorOf(revision);
    const letter = text[offset] ?? "";
    const imported =
      copied?.[offset] === 1
        ? rewriting.importedAt({ textblock, offset }, contentOrigin)
        : contentOrigin.of(whole, offset);
    const returned = copied?.[offset] === 1 ? rewriting.returnOf({ textblock, offset }) : null;
    if (
      open &&
      open.author === author &&
      open.imported === imported &&
      open.returned === returned &&
      (revision === open.last || isNear(timeline, open, revision))
    ) {
      open.to = offset + 1;
      open.text += letter;
      open.first = Math.min(open.first, revision);
      open.last = Math.max(open.last, revision);
    } else {
      const atOnce: boolean = imported === null && isAtOnce(timeline, revision);
      open = {
        textblock,
        from: offset,
        to: offset + 1,
        text: letter,
        author,
        first: revision,
        last: revision,
        atOnce,
        imported,
        returned,
      };
      passages.push(open);
    }
  }
  return passages;
}

function isNear(timeline: Timeline, passage: Passage, revision: number): boolean {
  const { timingMap } = timeline;
  return (
    timingMap.sessionOf(passage.last) === timingMap.sessionOf(revision) &&
    (passage.imported !== null || passage.atOnce === isAtOnce(timeline, revision))
  );
}

/**
 * Numbers of standing characters at a revision: those that each author wrote here, by author index,
 * and those that were imported, by origin.
 */
type Shares = { written: number[]; imported: Map<ImportedPassage, number> };

/** Counts the standing characters by author and by origin. */
export function sharesAt(timeline: Timeline, at: number, contentOrigin?: ContentOrigin): Shares {
  const written = timeline.authors.map(() => 0);
  const came = new Map<ImportedPassage, number>();
  for (const { author, imported, text } of passagesAt(timeline, at, contentOrigin)) {
    if (imported) came.set(imported, (came.get(imported) ?? 0) + text.length);
    else written[author] = (written[author] ?? 0) + text.length;
  }
  return { written, imported: came };
}

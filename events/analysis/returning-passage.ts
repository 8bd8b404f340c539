import { compareRevisions } from "@/events/analysis/comparison/comparison";
import type { Row, Run } from "@/events/analysis/comparison/comparison-rows";
import type {
  Block,
  HistoryElement,
  Textblock,
  MarkBoundary,
} from "@/events/history/timeline/full-history-text";
import { unitsPerBlock } from "@/events/analysis/comparison/revision-tokens";
import type { NodeRole } from "@/events/analysis/comparison/revision-tokens";
import type { PassageRange } from "./passage";
import { scriptOf, standsAt, textAt } from "@/events/history/timeline/script";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** Units of the full-history text, both ends inclusive. */
type Span = [from: number, to: number];
type Piece = { unit: number; length: number; markBoundary: MarkBoundary | null; stood: boolean };
/** The pieces of a textblock. `holders` are the units of the nodes that contain the textblock. */
type TextblockPieces = { pieces: Piece[]; holders: number[] };
/** A run of the comparison. Runs with the same `stretch` replace each other. */
type RunOfRow = { row: Row; next: Row | undefined; run: Run; stretch: string };

/**
 * Returns the pieces of every textblock of a block, with their units as the comparison counts them.
 * `stood` is true if the piece stood at the revision.
 */
function textblocksOf(block: Block, at: number): TextblockPieces[] {
  const textblocks: TextblockPieces[] = [];
  let unit = block.index * unitsPerBlock;
  const read = (node: HistoryElement | Textblock, holders: number[]): void => {
    if (node.kind === "element") {
      const within = [...holders, unit];
      unit += 1;
      return node.children.forEach((child) => read(child, within));
    }
    const pieces = node.pieces.map((piece) => {
      const markBoundary = piece.kind === "markBoundary" ? piece : null;
      const length = piece.kind === "markBoundary" ? 1 : piece.text.length;
      const stood =
        piece.kind === "markBoundary"
          ? piece.born <= at && piece.died > at
          : piece.born.some((born, offset) => born <= at && (piece.died[offset] ?? 0) > at);
      unit += length;
      return { unit: unit - length, length, markBoundary, stood };
    });
    textblocks.push({ pieces, holders });
  };
  read(block.node, []);
  return textblocks;
}

function unitOf(timeline: Timeline, { textblock, offset }: Place): number {
  const { textblocks } = scriptOf(timeline);
  const number = textblocks[textblock]?.block ?? 0;
  const block = timeline.blocks[number];
  if (!block) return -1;
  let left = offset;
  for (const { unit, length, markBoundary } of textblocksOf(block, 0)[
    textblock - textblocks.findIndex((each) => each.block === number)
  ]?.pieces ?? []) {
    if (markBoundary) continue;
    if (left < length) return unit + left;
    left -= length;
  }
  return -1;
}

/**
 * Returns the mark boundaries around or within a range of a textblock. A boundary without its
 * counterpart is left out, because it would mark the text that follows.
 */
function markBoundariesAround(textblock: readonly Piece[], [from, to]: Span): Span[] {
  let [first, last] = [
    textblock.findIndex(({ unit, length }) => unit + length > from),
    textblock.findLastIndex(({ unit }) => unit <= to),
  ];
  const passes = (piece: Piece | undefined) =>
    piece !== undefined && (piece.markBoundary !== null || !piece.stood);
  while (passes(textblock[first - 1])) first -= 1;
  while (passes(textblock[last + 1])) last += 1;
  const open = new Map<string, number>();
  return textblock.slice(first, last + 1).flatMap(({ unit, markBoundary, stood }): Span[] => {
    if (!markBoundary || !stood) return [];
    const begun = open.get(markBoundary.key);
    if (markBoundary.value !== null) open.set(markBoundary.key, unit);
    else open.delete(markBoundary.key);
    return markBoundary.value === null && begun !== undefined
      ? [
          [begun, begun],
          [unit, unit],
        ]
      : [];
  });
}

/** Returns the units that characters need to stand as before: their blocks, and their marks. */
function contextOf({ blocks }: Timeline, at: number, stretch: Span): Span[] {
  const [from] = stretch;
  const block = blocks[Math.floor(from / unitsPerBlock)];
  const textblock =
    block &&
    textblocksOf(block, at).find(({ pieces }) =>
      pieces.some(({ unit, length }) => unit <= from && unit + length > from),
    );
  return textblock
    ? [
        ...textblock.holders.map((unit): Span => [unit, unit]),
        ...markBoundariesAround(textblock.pieces, stretch),
      ]
    : [];
}

function holdersOf({ frame }: Row): Span[] {
  return [...frame.path, frame.block].map(({ unit }): Span => [unit, unit]);
}

/** Returns the units of rewritten text, which is restored as a whole or not at all. */
function anewOf({ row, next, run }: RunOfRow): Span[] {
  const rows = run.isBreak && next ? [row, next] : [row];
  return rows.flatMap(({ anew, runs }) =>
    anew.length > 0 ? [...anew, ...runs.map(({ units }) => units)] : [],
  );
}

/**
 * Returns the units of the full-history text that must be as they were at a revision, so that a
 * passage reads as it did then: its deleted characters, their blocks, and the text inserted since
 * between them or in their place. Empty if the passage still reads the same.
 */
export function returningUnits(
  timeline: Timeline,
  index: number,
  range: PassageRange,
  roleOf: (name: string) => NodeRole,
): Span[] {
  const [from, to] = [unitOf(timeline, range.start), unitOf(timeline, range.end)].sort(
    (a, b) => a - b,
  );
  if (from === undefined || to === undefined || from < 0) return [];
  const { rows } = compareRevisions(timeline, index, timeline.length - 1, roleOf);
  const runsOfRows = rows.flatMap((row, at): RunOfRow[] => {
    let stretchNumber = 0;
    return row.runs.map((run) => {
      if (run.kind === "same" || run.isBreak) stretchNumber += 1;
      return { row, next: rows[at + 1], run, stretch: `${at} ${stretchNumber}` };
    });
  });
  const chosen = ({ run }: RunOfRow) =>
    run.kind !== "in" && !run.isBreak && run.units[0] <= to && run.units[1] >= from;
  const [first, last] = [runsOfRows.findIndex(chosen), runsOfRows.findLastIndex(chosen)];
  const replaced = new Set(
    runsOfRows
      .filter((each) => chosen(each) && each.run.kind === "out" && each.row.kind === "same")
      .map(({ stretch }) => stretch),
  );
  return runsOfRows.flatMap((each, at): Span[] => {
    const { row, run, stretch } = each;
    const between = at > first && at < last;
    const anew = row.kind === "same" ? anewOf(each) : holdersOf(row);
    const clipped: Span = [Math.max(from, run.units[0]), Math.min(to, run.units[1])];
    if (run.kind === "out" && chosen(each)) {
      return [
        clipped,
        ...contextOf(timeline, index, clipped),
        ...(row.kind === "same" ? anew : []),
      ];
    }
    if (run.kind === "out" && run.isBreak && between) return [run.units, ...anew];
    const instead =
      run.kind === "in" && (between || (row.kind === "same" && replaced.has(stretch)));
    if (instead) return [run.units, ...anew];
    return run.kind === "in" && !run.isBreak && clipped[0] <= clipped[1] ? [clipped] : [];
  });
}

/** Returns the text of a passage at a revision, with line breaks between textblocks. */
export function passageAt(timeline: Timeline, index: number, { start, end }: PassageRange): string {
  const textblocks = scriptOf(timeline).textblocks.slice(start.textblock, end.textblock + 1);
  return textblocks
    .flatMap((textblock, at) => {
      const [from, to] = [
        at === 0 ? start.offset : 0,
        start.textblock + at === end.textblock ? end.offset + 1 : textblock.text.length,
      ];
      const stood =
        textblock.text.length === 0 ||
        [...textblock.born.keys()].some((offset) => standsAt(textblock, offset, index));
      return stood ? [textAt(textblock, index, from, to)] : [];
    })
    .join("\n")
    .trim();
}

import { compareMoments } from "@/events/analysis/comparison/comparison";
import { type Row, type Run } from "@/events/analysis/comparison/comparison-rows";
import {
  type Block,
  type Part,
  type Textblock,
  type MarkBoundary,
} from "@/events/history/timeline/full-history-text";
import { type NodeRole, unitsPerBlock } from "@/events/analysis/comparison/revision-tokens";
import { type PassageRange } from "./passage";
import { type Place, scriptOf, standsAt, textAt } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** Places of the full-history text, from and to, inclusive. */
type Span = [from: number, to: number];
type Piece = { unit: number; length: number; turn: MarkBoundary | null; stood: boolean };
/** `holders` are the places of the nodes it stands in. */
type LineOf = { pieces: Piece[]; holders: number[] };
/** A run of the comparison; those of one `stretch` are what has been put for each other. */
type Told = { row: Row; next: Row | undefined; run: Run; stretch: string };

/** The pieces of every line of a block with their places, as they are counted in comparing; `stood` at the moment. */
function linesOf(block: Block, at: number): LineOf[] {
  const lines: LineOf[] = [];
  let unit = block.index * unitsPerBlock;
  const read = (node: Part | Textblock, holders: number[]): void => {
    if (node.kind === "part") {
      const within = [...holders, unit];
      unit += 1;
      return node.children.forEach((child) => read(child, within));
    }
    const pieces = node.pieces.map((piece) => {
      const turn = piece.kind === "turn" ? piece : null;
      const length = piece.kind === "turn" ? 1 : piece.text.length;
      const stood =
        piece.kind === "turn"
          ? piece.born <= at && piece.died > at
          : piece.born.some((born, offset) => born <= at && (piece.died[offset] ?? 0) > at);
      unit += length;
      return { unit: unit - length, length, turn, stood };
    });
    lines.push({ pieces, holders });
  };
  read(block.node, []);
  return lines;
}

function unitOf(timeline: Timeline, { line, offset }: Place): number {
  const { lines } = scriptOf(timeline);
  const number = lines[line]?.block ?? 0;
  const block = timeline.blocks[number];
  if (!block) return -1;
  let left = offset;
  for (const { unit, length, turn } of linesOf(block, 0)[
    line - lines.findIndex((each) => each.block === number)
  ]?.pieces ?? []) {
    if (turn) continue;
    if (left < length) return unit + left;
    left -= length;
  }
  return -1;
}

/** Marks that begin and end around a stretch of a line or within it: one without the other would mark what follows. */
function turnsAround(line: readonly Piece[], [from, to]: Span): Span[] {
  let [first, last] = [
    line.findIndex(({ unit, length }) => unit + length > from),
    line.findLastIndex(({ unit }) => unit <= to),
  ];
  const passes = (piece: Piece | undefined) =>
    piece !== undefined && (piece.turn !== null || !piece.stood);
  while (passes(line[first - 1])) first -= 1;
  while (passes(line[last + 1])) last += 1;
  const open = new Map<string, number>();
  return line.slice(first, last + 1).flatMap(({ unit, turn, stood }): Span[] => {
    if (!turn || !stood) return [];
    const begun = open.get(turn.key);
    if (turn.value !== null) open.set(turn.key, unit);
    else open.delete(turn.key);
    return turn.value === null && begun !== undefined
      ? [
          [begun, begun],
          [unit, unit],
        ]
      : [];
  });
}

/** What characters need to stand again as they stood: the blocks around them, and their marks. */
function contextOf({ blocks }: Timeline, at: number, stretch: Span): Span[] {
  const [from] = stretch;
  const block = blocks[Math.floor(from / unitsPerBlock)];
  const line =
    block &&
    linesOf(block, at).find(({ pieces }) =>
      pieces.some(({ unit, length }) => unit <= from && unit + length > from),
    );
  return line
    ? [...line.holders.map((unit): Span => [unit, unit]), ...turnsAround(line.pieces, stretch)]
    : [];
}

function holdersOf({ frame }: Row): Span[] {
  return [...frame.path, frame.block].map(({ unit }): Span => [unit, unit]);
}

/** What was written anew comes back as a whole or not at all. */
function anewOf({ row, next, run }: Told): Span[] {
  const rows = run.isBreak && next ? [row, next] : [row];
  return rows.flatMap(({ anew, runs }) =>
    anew.length > 0 ? [...anew, ...runs.map(({ units }) => units)] : [],
  );
}

/**
 * What of the full-history text has to be as at a moment for a passage to read as it did then: its characters that are gone, the
 * blocks they stood in, and what has been put between them or in their place since. Empty where it still reads so.
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
  const { rows } = compareMoments(timeline, index, timeline.length - 1, roleOf);
  const told = rows.flatMap((row, at): Told[] => {
    let part = 0;
    return row.runs.map((run) => {
      if (run.kind === "same" || run.isBreak) part += 1;
      return { row, next: rows[at + 1], run, stretch: `${at} ${part}` };
    });
  });
  const chosen = ({ run }: Told) =>
    run.kind !== "in" && !run.isBreak && run.units[0] <= to && run.units[1] >= from;
  const [first, last] = [told.findIndex(chosen), told.findLastIndex(chosen)];
  const replaced = new Set(
    told
      .filter((each) => chosen(each) && each.run.kind === "out" && each.row.kind === "same")
      .map(({ stretch }) => stretch),
  );
  return told.flatMap((each, at): Span[] => {
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

/** What a passage read at a moment, its lines parted by line breaks. */
export function passageAt(timeline: Timeline, index: number, { start, end }: PassageRange): string {
  const lines = scriptOf(timeline).lines.slice(start.line, end.line + 1);
  return lines
    .flatMap((line, at) => {
      const [from, to] = [
        at === 0 ? start.offset : 0,
        start.line + at === end.line ? end.offset + 1 : line.text.length,
      ];
      const stood =
        line.text.length === 0 ||
        [...line.born.keys()].some((offset) => standsAt(line, offset, index));
      return stood ? [textAt(line, index, from, to)] : [];
    })
    .join("\n")
    .trim();
}

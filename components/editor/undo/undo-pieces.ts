import type { Mapping, StepMap } from "@tiptap/pm/transform";

/** A part of a range, at its current positions. */
export type Piece = { from: number; to: number };

/**
 * A part that a change deleted and that the later change `until` restores, at `offset` in its
 * `index`th range.
 */
type Asleep = { length: number; until: number; index: number; offset: number };

type Range = { oldFrom: number; oldTo: number; newFrom: number; newTo: number };

function rangesOf(map: StepMap): Range[] {
  const ranges: Range[] = [];
  map.forEach((oldFrom, oldTo, newFrom, newTo) => ranges.push({ oldFrom, oldTo, newFrom, newTo }));
  return ranges;
}

/** Maps a piece through a change. Returns the remaining parts, and the deleted ones by range. */
function cut(
  piece: Piece,
  ranges: readonly Range[],
): { remaining: Piece[]; deleted: { index: number; offset: number; length: number }[] } {
  const remaining: Piece[] = [];
  const deleted: { index: number; offset: number; length: number }[] = [];
  let at = piece.from;
  let shift = 0;
  const addRemaining = (to: number) => {
    if (to > at) remaining.push({ from: at + shift, to: to + shift });
    at = Math.max(at, to);
  };
  ranges.forEach(({ oldFrom, oldTo, newTo }, index) => {
    if (oldFrom >= piece.to) return;
    addRemaining(Math.min(oldFrom, piece.to));
    const [from, to] = [Math.max(at, oldFrom), Math.min(oldTo, piece.to)];
    if (to > from) deleted.push({ index, offset: from - oldFrom, length: to - from });
    at = Math.max(at, to);
    shift = newTo - oldTo;
  });
  addRemaining(piece.to);
  return { remaining, deleted };
}

/**
 * Returns the parts of the range between `from` and `to` that remain after these changes, without
 * content that others inserted. Content that one change deleted and another restored counts as
 * never deleted.
 */
export function survivingPieces(from: number, to: number, mapping: Mapping, begin = 0): Piece[] {
  let awake: Piece[] = to > from ? [{ from, to }] : [];
  let asleep: Asleep[] = [];
  for (let at = begin; at < mapping.maps.length; at += 1) {
    const map = mapping.maps[at];
    if (map === undefined) break;
    const ranges = rangesOf(map);
    const mirror = mapping.getMirror(at);
    const woken = asleep.filter(({ until }) => until === at);
    asleep = asleep.filter(({ until }) => until !== at);
    awake = awake.flatMap((piece) => {
      const { remaining, deleted } = cut(piece, ranges);
      if (mirror !== undefined && mirror > at)
        asleep.push(...deleted.map((part) => ({ ...part, until: mirror })));
      return remaining;
    });
    for (const { index, offset, length } of woken) {
      const range = ranges[index];
      if (range) awake.push({ from: range.newFrom + offset, to: range.newFrom + offset + length });
    }
  }
  const pieces: Piece[] = [];
  for (const piece of awake.toSorted((a, b) => a.from - b.from)) {
    const last = pieces.at(-1);
    if (last?.to === piece.from) last.to = piece.to;
    else pieces.push({ ...piece });
  }
  return pieces;
}

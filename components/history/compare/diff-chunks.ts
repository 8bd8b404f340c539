import type { Row } from "@/events/analysis/comparison/comparison-rows";

/**
 * Rows of a comparison that are rendered together, or a long unchanged stretch that is folded into
 * one button. `key` is stable during a comparison.
 */
export type DiffChunk = { key: string; rows: readonly Row[]; folded: boolean };

const rowsTogether = 12;
const context = 2;
const leastFolded = 8;

type Stretch = { from: number; to: number; still: boolean };

/** Returns maximal stretches of unchanged rows and of other rows. `to` is exclusive. */
function stretchesOf(rows: readonly Row[]): Stretch[] {
  const found: Stretch[] = [];
  rows.forEach((row, at) => {
    const still = row.still !== null;
    const last = found.at(-1);
    if (last?.still === still) last.to = at + 1;
    else found.push({ from: at, to: at + 1, still });
  });
  return found;
}

const isHeading = (row: Row | undefined) =>
  row?.still?.plainAt(row.still.born).some(({ type }) => type === "heading") ??
  row?.frame.block.name === "heading";

/**
 * Splits rows into chunks. The rows of one list or table stay together, and a heading stays with
 * the row after it.
 */
function split(rows: readonly Row[], from: number, to: number): DiffChunk[] {
  const chunks: DiffChunk[] = [];
  let begun = from;
  for (let at = from + 1; at <= to; at += 1) {
    const [before, next] = [rows[at - 1], rows[at]];
    const holder = before?.frame.path[0]?.unit;
    const sameHolder = holder !== undefined && holder === next?.frame.path[0]?.unit;
    if (at < to && (at - begun < rowsTogether || sameHolder || isHeading(before))) continue;
    chunks.push({ key: `${begun}`, rows: rows.slice(begun, at), folded: false });
    begun = at;
  }
  return chunks;
}

/**
 * Returns the rows of a comparison in chunks. Long unchanged stretches are folded, except next to a
 * change and where the reader has opened them.
 */
export function chunksOf(rows: readonly Row[], opened: ReadonlySet<string>): DiffChunk[] {
  const bounds: { at: number; folded: boolean }[] = [];
  for (const { from, to, still } of stretchesOf(rows)) {
    const first = from === 0 ? from : from + context;
    const end = to === rows.length ? to : to - context;
    if (!still || end - first < leastFolded) continue;
    bounds.push({ at: first, folded: true }, { at: end, folded: false });
  }
  const chunks: DiffChunk[] = [];
  let from = 0;
  let folded = false;
  for (const bound of [...bounds, { at: rows.length, folded: false }]) {
    if (bound.at > from) {
      if (folded && !opened.has(`${from}`))
        chunks.push({ key: `${from}`, rows: rows.slice(from, bound.at), folded: true });
      else chunks.push(...split(rows, from, bound.at));
    }
    [from, folded] = [bound.at, bound.folded];
  }
  return chunks;
}

/** Returns the chunks of stretches of rows, unfolded. `begins` marks a stretch's first chunk. */
export function chunksOfStretches(
  stretches: readonly (readonly Row[])[],
): (DiffChunk & { begins: boolean })[] {
  return stretches.flatMap((rows, stretch) =>
    split(rows, 0, rows.length).map((chunk, index) => ({
      ...chunk,
      key: `${stretch} ${chunk.key}`,
      begins: index === 0,
    })),
  );
}

/** Returns for each change its chunk and its offset in the chunk, from 0 to 1. */
export function placesOf(
  chunks: readonly DiffChunk[],
): Map<number, { key: string; within: number }> {
  const places = new Map<number, { key: string; within: number }>();
  for (const { key, rows } of chunks) {
    rows.forEach(({ change, changes }, at) => {
      for (const each of [change, ...changes])
        if (each !== null && !places.has(each))
          places.set(each, { key, within: (at + 0.5) / rows.length });
    });
  }
  return places;
}

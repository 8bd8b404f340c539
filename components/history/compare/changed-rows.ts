import type { Row } from "@/events/analysis/comparison/comparison-rows";

function isChanged({ kind, change, changes }: Row): boolean {
  return kind !== "same" || change !== null || changes.some((each) => each !== null);
}

/** Returns for each row whether it or an adjacent row has changed. */
function nearChanges(rows: readonly Row[]): boolean[] {
  return rows.map((_, index) =>
    [index - 1, index, index + 1].some((each) => rows[each] !== undefined && isChanged(rows[each])),
  );
}

/** Reads the folded blocks next to a change, and leaves the other blocks folded. */
export function openedRows(
  folded: readonly Row[],
  read: (still: NonNullable<Row["still"]>) => Row[],
): Row[] {
  const beside = nearChanges(folded);
  return folded.flatMap((row, index) =>
    row.still !== null && beside[index] ? read(row.still) : [row],
  );
}

/** Returns the changed rows and the rows next to them, grouped into contiguous stretches. */
export function changedRows(rows: readonly Row[]): Row[][] {
  const near = nearChanges(rows);
  const stretches: Row[][] = [];
  rows.forEach((row, index) => {
    if (!near[index]) return;
    if (near[index - 1]) stretches.at(-1)?.push(row);
    else stretches.push([row]);
  });
  return stretches;
}

/**
 * Returns the number of each list item, by its place in the full-history text. Deleted items are
 * not counted.
 */
export function itemNumbers(rows: readonly Row[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const {
    kind,
    frame: { path },
  } of rows) {
    path.forEach((item, depth) => {
      const list = path[depth - 1];
      if (!list || numbers.has(item.unit)) return;
      const before = counts.get(list.unit) ?? 0;
      numbers.set(item.unit, before + 1);
      if (kind !== "out") counts.set(list.unit, before + 1);
    });
  }
  return numbers;
}

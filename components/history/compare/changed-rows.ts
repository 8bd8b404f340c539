import { type Row } from "@/events/analysis/comparison/comparison-rows";

function isChanged({ kind, change, changes }: Row): boolean {
  return kind !== "same" || change !== null || changes.some((each) => each !== null);
}

/** For each row, whether it or one right beside it changed. */
function nearChanges(rows: readonly Row[]): boolean[] {
  return rows.map((_, index) =>
    [index - 1, index, index + 1].some((each) => rows[each] !== undefined && isChanged(rows[each])),
  );
}

/** The rows of a comparison with the blocks read that it left unread, of those alone that stand beside a change. */
export function openedRows(
  folded: readonly Row[],
  read: (still: NonNullable<Row["still"]>) => Row[],
): Row[] {
  const beside = nearChanges(folded);
  return folded.flatMap((row, index) =>
    row.still !== null && beside[index] ? read(row.still) : [row],
  );
}

/** The rows in which something changed, with those right beside them, as stretches of neighbours. */
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

/** Which item of its list each item is, by its place in the full-history text; what is gone counts for nothing. */
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

import { type Row } from '../../events/comparison/comparison-rows'

function isChanged({ kind, change, changes }: Row): boolean {
  return kind !== 'same' || change !== null || changes.some((each) => each !== null)
}

/** The rows in which something changed, with those right beside them, as stretches of neighbours. */
export function changedRows(rows: readonly Row[]): Row[][] {
  const near = rows.map((_, index) => [index - 1, index, index + 1].some((each) => rows[each] !== undefined && isChanged(rows[each])))
  const stretches: Row[][] = []
  rows.forEach((row, index) => {
    if (!near[index]) return
    if (near[index - 1]) stretches.at(-1)?.push(row)
    else stretches.push([row])
  })
  return stretches
}

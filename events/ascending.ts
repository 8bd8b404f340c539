/** The index of the last of ascending `values` that is not above `value`; -1 where all are. */
export function lastUpTo(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

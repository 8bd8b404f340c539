/**
 * The first index in [low, high) that passes a monotone test, or `high` if none does. Loops over
 * every letter of a history have their own search, because calling a test function each time is
 * slow.
 */
export function firstWhere(low: number, high: number, holds: (index: number) => boolean): number {
  let [begin, end] = [low, high];
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (holds(middle)) end = middle;
    else begin = middle + 1;
  }
  return begin;
}

/**
 * The index of the last of the first `count` ascending `values` that is at most `value`; -1 if
 * there is none.
 */
export function lastUpTo(values: ArrayLike<number>, value: number, count = values.length): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

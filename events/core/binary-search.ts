/**
 * Returns the first index in [low, high) that passes a monotone test, or `high` if no index does.
 * Loops over every letter of a history inline their own search, because a function call for each
 * test is slow.
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
 * Returns the index of the last value that is at most `value`, among the first `count` of the
 * ascending `values`. Returns -1 if there is none.
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

/**
 * The first number from `low` to before `high` of which a test holds that holds for all behind it;
 * `high` where it holds for none. What is asked for each letter of a history has a loop of its own,
 * as a test that is handed in is called each time.
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

/** The last of the first `count` ascending `values` that is not above `value`, as an index; -1 where all are. */
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

/**
 * Appends any number of items to a list. `push(...items)` passes each item as an argument and
 * throws "Maximum call stack size exceeded" beyond some hundred thousand.
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

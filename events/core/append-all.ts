/**
 * Appends items to a list, however many. `push(...items)` passes each as an argument, and beyond some
 * hundred thousand of them the call fails with "Maximum call stack size exceeded".
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

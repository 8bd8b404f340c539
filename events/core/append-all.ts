/**
 * Appends any number of items. `push(...items)` passes each as an argument and fails beyond some
 * hundred thousand with "Maximum call stack size exceeded".
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

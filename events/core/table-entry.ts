/** Returns a table's entry for a key, or undefined if the table has no such own key. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  key: string,
): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

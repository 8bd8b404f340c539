/** The entry of a table for a key that it may not have. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  key: string,
): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

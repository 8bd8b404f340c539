/** A table's entry for a key that may be missing. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  key: string,
): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

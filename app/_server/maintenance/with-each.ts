/** Runs `work` for each item in sequence, and returns the errors. */
export async function withEach<Item>(
  all: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const item of all) await work(item).catch((fault: unknown) => faults.push(fault));
  return faults;
}

/** Throws the error, or an AggregateError if there are several. */
export function throwAll(faults: readonly unknown[]): void {
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} items failed`);
}

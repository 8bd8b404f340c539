/** Does something with each, one after the other, and returns the faults. */
export async function withEach<Item>(
  all: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const item of all) await work(item).catch((fault: unknown) => faults.push(fault));
  return faults;
}

/** Throws the faults, as one AggregateError where there are several. */
export function throwAll(faults: readonly unknown[]): void {
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} faults`);
}

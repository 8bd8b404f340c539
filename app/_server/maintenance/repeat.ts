import { reportError } from "@/events/core/error-report";
import { isPassing } from "./passing-fault";

/**
 * Does some work now and then, for as long as this process runs; a full round is followed by the
 * next at once.
 */
export function repeat(
  work: () => Promise<number>,
  { full, everyMs, during }: { full: number; everyMs: number; during: string },
): void {
  const round = async () => {
    try {
      while ((await work()) >= full);
    } catch (fault) {
      // What cannot be reached now has its turn in a later round; a page that is opened does the same work meanwhile.
      const faults: unknown[] = fault instanceof AggregateError ? fault.errors : [fault];
      for (const each of faults) if (!isPassing(each)) reportError(each, { during });
    }
    later();
  };
  const later = () => setTimeout(() => void round(), everyMs).unref();
  later();
}

/** Does something with each, one after the other, and answers what went wrong. */
export async function withEach<Item>(
  all: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const item of all) await work(item).catch((fault: unknown) => faults.push(fault));
  return faults;
}

/** Throws what went wrong, if anything did; together where that is more than one. */
export function throwAll(faults: readonly unknown[]): void {
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} faults`);
}

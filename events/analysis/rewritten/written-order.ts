import { lastUpTo } from "@/events/core/binary-search";
import type { Timeline } from "@/events/history/timeline/timeline";

type Span = { at: number; length: number };

/**
 * Sorts spans of the script into the order of writing. Text that one client wrote contiguously
 * stays together, even if others have inserted letters since.
 */
export function inWrittenOrder(
  spans: readonly Span[],
  { columns: { runs } }: Timeline["historyText"],
): Span[] {
  const stretches: Span[][] = [];
  /** The spans of contiguous text, by the client and clock at which the text would continue. */
  const open = new Map<string, Span[]>();
  for (const { at, length } of spans) {
    for (let from = at; from < at + length;) {
      const run = lastUpTo(runs.start, from);
      const start = runs.start[run] ?? 0;
      const to = Math.min(at + length, runs.start[run + 1] ?? runs.length);
      const [client, clock] = [runs.client[run] ?? 0, (runs.clock[run] ?? 0) + from - start];
      const key = `${client}:${clock}`;
      const stretch = open.get(key) ?? [];
      if (stretch.length === 0) stretches.push(stretch);
      stretch.push({ at: from, length: to - from });
      open.delete(key);
      open.set(`${client}:${clock + to - from}`, stretch);
      from = to;
    }
  }
  return stretches.flat();
}

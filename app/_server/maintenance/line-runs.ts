import { runIn } from "@/app/_server/workers/workers";
import { StoreFault } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";

export const linesPerRun = 8;

/** A document whose lines could not be derived is marked still, and is taken again in a few minutes. */
const isPassing = (fault: unknown) => fault instanceof StoreFault;

/**
 * Derives the lines of documents that appending has marked, and answers how many those were. What
 * went wrong with some is thrown when the others have had their turn.
 */
export async function deriveMarkedLines(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("take_stale_lines", { max_count: linesPerRun });
  if (error) throw new StoreFault(error.message, status);
  const marked: unknown[] = Array.isArray(data) ? data : [];
  const faults: unknown[] = [];
  for (const document of marked) {
    if (typeof document !== "string") continue;
    await runIn(
      "background",
      "lines",
      { document },
      { client: service, service: true, owner: "maintenance" },
    ).catch((fault: unknown) => {
      // A redaction at that moment refuses what was read before it, and marks the document itself.
      if (!isPassing(fault)) faults.push(fault);
    });
  }
  if (faults.length > 0)
    throw new AggregateError(faults, `the lines of ${faults.length} documents were not derived`);
  return marked.length;
}

import { reportError } from "@/events/core/error-report";
import type { SupabaseClient } from "@supabase/supabase-js";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { removeDeletedUsers, usersPerRun } from "@/app/_server/account/user-removal";
import { disposalsPerRun, disposeFiles } from "./disposal-runs";
import { deriveMarkedLines, linesPerRun } from "./line-runs";
import { keepLinksUp, linksPerRun } from "./link-runs";
import { maintain } from "./maintenance";
import { isPassing } from "./passing-fault";

const everyMs = 10_000;
/** Somebody may be waiting for these on a page that says that a document has changed. */
const linesEveryMs = 3_000;
const perRun = 8;

/** What was taken, could not be kept up for now, and has not got its mark back yet. */
const unmarked = new Set<string>();

async function markAgain(service: SupabaseClient): Promise<void> {
  const streams = [...unmarked];
  if (streams.length === 0) return;
  const { error, status } = await service.rpc("mark_upkeep", { streams });
  if (error) throw faultOf(error, status);
  for (const stream of streams) unmarked.delete(stream);
}

/**
 * Keeps up the documents that appending has marked: their snapshots and segments. Answers how many
 * those were; what went wrong with some is thrown when all the others, whose marks are gone, have
 * had their turn. What may go well another time is marked again.
 */
export async function maintainMarked(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  // From a round that could not reach the database any more.
  await markAgain(service);
  const { data, error, status } = await service.rpc("take_upkeep", { max_count: perRun });
  if (error) throw faultOf(error, status);
  const marked: unknown[] = Array.isArray(data) ? data : [];
  const faults: unknown[] = [];
  for (const document of marked) {
    if (typeof document !== "string") continue;
    await maintain(document, "eager").catch((fault: unknown) => {
      faults.push(fault);
      if (isPassing(fault)) unmarked.add(document);
    });
  }
  await markAgain(service).catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0)
    throw faults.length === 1
      ? faults[0]
      : new AggregateError(faults, `${faults.length} documents could not be kept up`);
  return marked.length;
}

/** Does some work now and then, for as long as this process runs; a full round is followed by the next at once. */
function repeat(work: () => Promise<number>, full: number, everyMs: number, during: string): void {
  const round = async () => {
    try {
      while ((await work()) === full);
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

/** Keeps up whatever is marked, and what links where, and derives the lines that say what changed. */
export function startMaintenance(): void {
  repeat(maintainMarked, perRun, everyMs, "keeping documents up");
  repeat(keepLinksUp, linksPerRun, everyMs, "keeping the links of documents");
  repeat(disposeFiles, disposalsPerRun, everyMs, "deleting files that nothing has any more");
  repeat(removeDeletedUsers, usersPerRun, everyMs, "removing the users of deleted accounts");
  repeat(deriveMarkedLines, linesPerRun, linesEveryMs, "deriving what changed in documents");
}

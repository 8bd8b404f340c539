import type { SupabaseClient } from "@supabase/supabase-js";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { removeDeletedUsers, usersPerRun } from "@/app/_server/account/user-removal";
import { disposalsPerRun, disposeFiles } from "./disposal-runs";
import { deriveMarkedLines, linesPerRun } from "./line-runs";
import { keepLinksUp, linksPerRun } from "./link-runs";
import { maintain } from "./maintenance";
import { isPassing } from "./passing-fault";
import { repeat, throwAll, withEach } from "./repeat";

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
  const faults = await withEach(
    marked.filter((document) => typeof document === "string"),
    async (document) => {
      try {
        await maintain(document, "eager");
      } catch (fault) {
        if (isPassing(fault)) unmarked.add(document);
        throw fault;
      }
    },
  );
  await markAgain(service).catch((fault: unknown) => faults.push(fault));
  throwAll(faults);
  return marked.length;
}

/** Keeps up whatever is marked, and what links where, and derives the lines that say what changed. */
export function startMaintenance(): void {
  repeat(maintainMarked, { full: perRun, everyMs, during: "keeping documents up" });
  repeat(keepLinksUp, { full: linksPerRun, everyMs, during: "keeping the links of documents" });
  repeat(disposeFiles, {
    full: disposalsPerRun,
    everyMs,
    during: "deleting files that nothing has any more",
  });
  repeat(removeDeletedUsers, {
    full: usersPerRun,
    everyMs,
    during: "removing the users of deleted accounts",
  });
  repeat(deriveMarkedLines, {
    full: linesPerRun,
    everyMs: linesEveryMs,
    during: "deriving what changed in documents",
  });
}

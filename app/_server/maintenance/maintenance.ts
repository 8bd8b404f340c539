import { serviceClient } from "@/supabase/server";
import { runIn } from "@/app/_server/workers/workers";
import type { Urgency, MaintenanceRequest } from "@/app/_server/workers/maintenance-task";

const busy = new Set<string>();
/**
 * Logs that cannot be packed into segments, with the time of the failure. A retry would read all of
 * such a log and fail again.
 */
const broken = new Map<string, number>();
/** The wait for a retry: a redaction or a newer release may repair the log. */
const brokenFor = 3_600_000;
/** The most entries. The oldest is evicted first. */
const mostBroken = 1_000;

function isBroken(document: string): boolean {
  for (const [each, since] of broken) {
    if (Date.now() - since < brokenFor && broken.size <= mostBroken) break;
    broken.delete(each);
  }
  return broken.has(document);
}

/** Runs a task. Resolves to false if another job has the document, or without a service key. */
async function once(
  document: string,
  request: Omit<MaintenanceRequest, "document" | "withSegments">,
  owner: string,
): Promise<boolean> {
  const service = serviceClient();
  if (!service || busy.has(document)) return false;
  busy.add(document);
  try {
    const answer = await runIn(
      "heavy",
      "maintain",
      { document, ...request, withSegments: !isBroken(document) },
      // Snapshots and segments serve all later readers, so no caller's signal cancels the task.
      { client: service, service: true, owner, signal: null },
    );
    if (answer.broken) broken.set(document, Date.now());
    return true;
  } finally {
    busy.delete(document);
  }
}

/**
 * Builds segments for the log beyond the last segment, off the hot path, one job per document, in
 * the queue of the person who caused the job. The caller must have checked read access.
 */
export function buildSegmentsLater(document: string, owner: string): Promise<boolean> {
  return once(document, { urgency: null }, owner);
}

/**
 * Makes the snapshot and segments that are due, off the hot path, one job per document, in the
 * queue of the person who caused the job. An `urgency` may be more eager than a reader's. Resolves
 * to whether the job ran.
 */
export function maintain(
  document: string,
  urgency: Urgency = "reader",
  owner = "maintenance",
): Promise<boolean> {
  return once(document, { urgency }, owner);
}

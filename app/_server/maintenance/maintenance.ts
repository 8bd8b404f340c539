import { serviceClient } from "@/supabase/server";
import { runIn } from "@/app/_server/workers/workers";
import type { Urgency, MaintenanceRequest } from "@/app/_server/workers/maintenance-task";

const busy = new Set<string>();
/**
 * Logs that cannot be packed into segments, and since when: a retry would read all of them and fail
 * again.
 */
const broken = new Map<string, number>();
/** A redaction or a newer release may repair one. */
const brokenFor = 3_600_000;
/** Entries kept; the oldest is evicted first. */
const mostBroken = 1_000;

function isBroken(document: string): boolean {
  for (const [each, since] of broken) {
    if (Date.now() - since < brokenFor && broken.size <= mostBroken) break;
    broken.delete(each);
  }
  return broken.has(document);
}

/** Returns whether it ran: not if another job has the document, nor without a service key. */
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
      // Snapshots and segments serve all later readers, so no caller's signal cancels them.
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
 * the queue of the person who caused it. The caller must have checked read access.
 */
export function buildSegmentsLater(document: string, owner: string): Promise<boolean> {
  return once(document, { urgency: null }, owner);
}

/**
 * Makes the snapshot and segments that are due, off the hot path, one job per document, in the
 * queue of the person who caused it. An `urgency` may be more eager than a reader's. Returns
 * whether it ran.
 */
export function maintain(
  document: string,
  urgency: Urgency = "reader",
  owner = "maintenance",
): Promise<boolean> {
  return once(document, { urgency }, owner);
}

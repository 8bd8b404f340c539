import { serviceClient } from "@/supabase/server";
import { runIn } from "@/app/_server/workers/workers";
import type { Urgency, MaintenanceRequest } from "@/app/_server/workers/maintenance-task";

const busy = new Set<string>();
/**
 * Logs that cannot be packed into segments: trying again reads all of them, and comes to the same.
 */
const broken = new Map<string, number>();
/** A redaction or a newer release may mend one. */
const brokenFor = 3_600_000;
/** No more of them are remembered; the oldest is forgotten first. */
const mostBroken = 1_000;

function isBroken(document: string): boolean {
  for (const [each, since] of broken) {
    if (Date.now() - since < brokenFor && broken.size <= mostBroken) break;
    broken.delete(each);
  }
  return broken.has(document);
}

/** Answers whether it ran: not while another job has the document, nor without a service key. */
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
      // Snapshots and segments are for all who read it next.
      { client: service, service: true, owner, signal: null },
    );
    if (answer.broken) broken.set(document, Date.now());
    return true;
  } finally {
    busy.delete(document);
  }
}

/**
 * Builds segments of what a document's log holds beyond its last segment, off the hot path and once
 * at a time, in the turn of whoever brought it about; who may read it must have been asked before.
 */
export function buildSegmentsLater(document: string, owner: string): Promise<boolean> {
  return once(document, { urgency: null }, owner);
}

/**
 * Makes the snapshot that is due and the segments that are due, off the hot path and once at a
 * time, in the turn of whoever brought it about. `urgency` may be more eager than a reader's
 * measure. Answers whether it ran, as `once` does.
 */
export function maintain(
  document: string,
  urgency: Urgency = "reader",
  owner = "maintenance",
): Promise<boolean> {
  return once(document, { urgency }, owner);
}

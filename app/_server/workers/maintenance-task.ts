import type { SupabaseClient } from "@supabase/supabase-js";
import { BrokenRecording } from "@/events/history/timeline/recording";
import { buildSegments } from "@/events/history/segments/segment-building";
import { isSnapshotDue, type Tail, writeSnapshot } from "@/events/crdt/validation/snapshot";
import { StoreFault } from "@/events/log/store";
import { fold, snapshotOf } from "./fold";
import { rememberEnd, writeLoad } from "./present-task";
import type { Tools } from "./task";

/** Half of what a reader would have to read behind a snapshot before it is called long. */
const manyEvents = 32;
/** From here on a document is measured with every change: a deletion makes room only once it is. */
const nearlyFull = 0.9;

/** How much must have come for a snapshot to be made: what a reader calls long, half of that, or anything. */
export type Urgency = "reader" | "eager" | "always";
export type MaintenanceRequest = {
  document: string;
  urgency: Urgency | null;
  withSegments: boolean;
};
/**
 * Whether the history cannot be packed: trying again would read all of it, and come to the same.
 */
type MaintenanceResult = { broken: boolean };

function isDue(tail: Tail, urgency: Urgency): boolean {
  if (urgency === "always") return tail.events > 0;
  return (urgency === "eager" && tail.events >= manyEvents) || isSnapshotDue(tail);
}

async function measuredAt(client: SupabaseClient, document: string): Promise<number | null> {
  const { data, error, status } = await client.rpc("read_load", { stream: document });
  if (error) throw new StoreFault(error.message, status);
  const load: unknown = data;
  return typeof load === "object" &&
    load !== null &&
    "measuredAt" in load &&
    typeof load.measuredAt === "number"
    ? load.measuredAt
    : null;
}

/**
 * Folds what the log holds behind the newest snapshot, and keeps that as the next one where it is
 * due, with what it comes to.
 */
async function renewSnapshot(
  client: SupabaseClient,
  document: string,
  urgency: Urgency,
  tools: Tools,
): Promise<boolean> {
  const folded = await fold(client, { document, at: null, light: false }, tools);
  const { head, tail } = folded;
  await rememberEnd(folded, document, tools);
  if (folded.stoppedAt !== null) return false;
  // The rest has its turn in another round.
  if (folded.late) return true;
  const due = head !== null && isDue(tail, urgency);
  if (due) await writeSnapshot(client, document, snapshotOf(folded), { head });
  const full = folded.fullness >= nearlyFull && tail.events > 0;
  if (due || full || (await measuredAt(client, document)) === null)
    await writeLoad(client, document, folded);
  return true;
}

/** Makes the snapshot and the segments of a document that are due. */
export async function maintain(
  client: SupabaseClient,
  { document, urgency, withSegments }: MaintenanceRequest,
  tools: Tools,
): Promise<MaintenanceResult> {
  const goesOn = urgency === null || (await renewSnapshot(client, document, urgency, tools));
  // A fold that was stopped may go on later, once something was redacted or its time was looked at again.
  if (!goesOn || !withSegments) return { broken: false };
  try {
    await buildSegments(client, document);
    return { broken: false };
  } catch (error) {
    if (!(error instanceof BrokenRecording)) throw error;
    return { broken: true };
  }
}

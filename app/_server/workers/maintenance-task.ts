import type { SupabaseClient } from "@supabase/supabase-js";
import { BrokenRecording } from "@/events/history/timeline/recording";
import { buildSegments } from "@/events/history/segments/segment-building";
import { isSnapshotDue, writeSnapshot } from "@/events/crdt/validation/snapshot";
import type { Tail } from "@/events/crdt/validation/snapshot";
import { StoreFault } from "@/events/log/store";
import { fold, snapshotOf } from "./fold";
import { rememberEnd, writeLoad } from "./present-task";
import type { Tools } from "./task";

/** The length of an eager tail: half of the tail that counts as long for a reader. */
const manyEvents = 32;
/**
 * The fullness from which a document is measured after every change: only measuring shows the room
 * that deletions free.
 */
const nearlyFull = 0.9;

/** The tail for which a snapshot is due: long for a reader, half of that, or any length. */
export type Urgency = "reader" | "eager" | "always";
export type MaintenanceRequest = {
  document: string;
  urgency: Urgency | null;
  withSegments: boolean;
};
/** Whether the history cannot be packed. A retry would then read all of it and fail again. */
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
 * Folds the log after the newest snapshot, and stores the next snapshot and the document's size if
 * due. Returns whether the document can be folded to its end.
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
  // The rest is left to a later round.
  if (folded.late) return true;
  const due = head !== null && isDue(tail, urgency);
  if (due) await writeSnapshot(client, document, snapshotOf(folded), { head });
  const full = folded.fullness >= nearlyFull && tail.events > 0;
  if (due || full || (await measuredAt(client, document)) === null)
    await writeLoad(client, document, folded);
  return true;
}

/** Makes the snapshot and segments of a document that are due. */
export async function maintain(
  client: SupabaseClient,
  { document, urgency, withSegments }: MaintenanceRequest,
  tools: Tools,
): Promise<MaintenanceResult> {
  const goesOn = urgency === null || (await renewSnapshot(client, document, urgency, tools));
  // A stopped fold may continue later, after a redaction or when its time limit is tried again.
  if (!goesOn || !withSegments) return { broken: false };
  try {
    await buildSegments(client, document);
    return { broken: false };
  } catch (error) {
    if (!(error instanceof BrokenRecording)) throw error;
    return { broken: true };
  }
}

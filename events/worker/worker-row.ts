import { type TimelineRow } from "@/events/history/timeline/timeline";

/** What of a row of the log goes to the background. */
export function workerRow({
  id,
  version,
  type,
  actorId,
  clientIds,
  clientTime,
  recordedAt,
  body,
  schema,
  update,
  toPhase,
  subject,
}: TimelineRow): TimelineRow {
  return {
    id,
    version,
    type,
    actorId,
    clientIds,
    clientTime,
    recordedAt,
    body,
    schema,
    update,
    toPhase,
    subject,
  };
}

import type { TimelineRow } from "@/events/history/timeline/timeline";

/** Returns the fields of a log row that the worker needs. */
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

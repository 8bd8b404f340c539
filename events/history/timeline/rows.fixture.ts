import { encodeEdits } from "@/events/crdt/payload/payload";
import type { Edit } from "@/events/crdt/payload/payload";
import type { TimelineRow } from "./timeline";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";

/** A schema version that no reader knows, so that content is not checked. */
export const unknownSchema = 1_000;

const streamId = "00000000-0000-4000-8000-00000000d0c0";

/** Creates a row of a document's stream as the database returns it. */
export function row(
  fields: Partial<TimelineRow> & Pick<TimelineRow, "version" | "actorId">,
  time: number,
): TimelineRow {
  const stamp = new Date(time).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(fields.version).padStart(12, "0")}`,
    type: "document.edited",
    clientIds: [],
    clientTime: stamp,
    recordedAt: new Date(time + 3_600_000).toISOString(),
    body: {},
    schema: 1,
    update: null,
    toPhase: "live",
    subject: { kind: "document", id: streamId },
    ...fields,
  };
}

export type AuthoredEdit = Edit & { actorId: string };

function clientsOf(batch: Edit[]): number[] {
  return [
    ...new Set(
      batch.flatMap(({ update }) => inspectUpdate(update).structs.map(({ client }) => client)),
    ),
  ];
}

/** Creates a stream: its creation, then one `document.edited` per batch of one author's edits. */
export function stream(title: string, batches: AuthoredEdit[][]): TimelineRow[] {
  const first = batches[0]?.[0];
  const start = first?.time ?? 0;
  const created = row(
    { version: 1, actorId: first?.actorId ?? "Ana", type: "document.created", body: { title } },
    start,
  );
  return [
    created,
    ...batches.map((batch, index) =>
      row(
        {
          version: index + 2,
          actorId: batch[0]?.actorId ?? "",
          clientIds: clientsOf(batch),
          update: encodeEdits(batch),
        },
        batch[0]?.time ?? start,
      ),
    ),
  ];
}

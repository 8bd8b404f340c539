import * as z from "zod/mini";
import { allRows, readByIds, readRows } from "@/events/log/paged-rows";
import { documentsById, forksOf } from "./document-rows";
import type { DocumentRow } from "./document-rows";
import type { Rows } from "./rows";
import type { CopyInRow } from "./holders";

const kinds: Readonly<Record<string, CopyInRow["kind"]>> = {
  "document.forked": "fork",
  "document.merged": "merge",
  "document.imported": "import",
};
const created = "document.created";

const eventRow = z.object({
  id: z.string(),
  stream_id: z.string(),
  version: z.int(),
  type: z.string(),
});
const payloadRow = z.object({
  event_id: z.string(),
  body: z.string(),
  redacted_by: z.nullable(z.int()),
});
const copyInBody = z.object({ document: z.string(), version: z.int() });

/** Reads a document and the documents related to it by forks, among those the reader may see. */
export async function familyOf(rows: Rows, id: string): Promise<DocumentRow[]> {
  const family = new Map<string, DocumentRow>();
  let fresh = await documentsById(rows, [id]);
  while (fresh.length > 0) {
    for (const row of fresh) family.set(row.id, row);
    const parents = fresh.flatMap(({ forkedFrom }) =>
      forkedFrom !== null && !family.has(forkedFrom) ? [forkedFrom] : [],
    );
    const ids = fresh.map((row) => row.id);
    const next = [
      ...(await documentsById(rows, [...new Set(parents)])),
      ...(await forksOf(rows, ids)),
    ];
    fresh = next.filter((row) => !family.has(row.id));
  }
  return [...family.values()];
}

/**
 * Reads the copy-ins of documents. `unseen` are the documents whose events the reader may not see,
 * so that their merges are unknown.
 */
export async function copyInsInto(
  rows: Rows,
  documents: readonly string[],
): Promise<{ copyIns: CopyInRow[]; unseen: ReadonlySet<string> }> {
  const events = await readByIds(documents, (ids) => eventsOf(rows, ids));
  const payloads = await readByIds(
    events.filter(({ type }) => type !== created).map(({ id }) => id),
    async (ids) =>
      readRows(
        await rows.from("event_payloads").select("event_id,body,redacted_by").in("event_id", ids),
        payloadRow,
      ),
  );
  const payloadsById = new Map(payloads.map((payload) => [payload.event_id, payload]));
  const copyIns = events.flatMap(({ id, stream_id: into, version, type }): CopyInRow[] => {
    const payload = payloadsById.get(id);
    const body = payload && copyInBody.safeParse(JSON.parse(payload.body)).data;
    const kind = kinds[type];
    return kind && body
      ? [
          {
            from: body.document,
            at: body.version,
            into,
            version,
            kind,
            redacted: payload.redacted_by !== null,
          },
        ]
      : [];
  });
  const seen = new Set(events.map(({ stream_id: id }) => id));
  return { copyIns, unseen: new Set(documents.filter((id) => !seen.has(id))) };
}

function eventsOf(rows: Rows, ids: readonly string[]): Promise<z.infer<typeof eventRow>[]> {
  const all = () =>
    rows
      .from("events")
      .select("id,stream_id,version,type")
      .in("stream_id", ids)
      .in("type", [created, ...Object.keys(kinds)]);
  return allRows(all, ["stream_id", "version"], eventRow);
}

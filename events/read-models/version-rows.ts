import * as z from "zod/mini";
import { allRows, sorted } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

const versionRow = z.pipe(
  z.object({
    id: z.string(),
    document_id: z.string(),
    at: z.int(),
    name: z.string(),
    pinned: z.boolean(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((row) => ({
    id: row.id,
    documentId: row.document_id,
    at: row.at,
    name: row.name,
    pinned: row.pinned,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })),
);
/** A named version: `at` is the version of the document's stream that it stands for. */
export type VersionRow = z.output<typeof versionRow>;

/** The named versions of a document, the latest revision first, of one revision the latest name. */
export async function versionsOf(rows: Rows, documentId: string): Promise<VersionRow[]> {
  const all = () => rows.from("versions").select("*").eq("document_id", documentId);
  const versions = await allRows(all, ["id"], versionRow);
  return sorted(versions, ({ createdAt }) => createdAt, -1).sort((a, b) => b.at - a.at);
}

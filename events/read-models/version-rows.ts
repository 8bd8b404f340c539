import * as z from "zod/mini";
import { allRows, readRows, sorted } from "@/events/log/paged-rows";
import { rowsAtATime } from "@/events/core/pages";
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
/** A named version. `at` is the version of the document's stream that it names. */
export type VersionRow = z.output<typeof versionRow>;

/**
 * Reads a document's named versions, latest first. Several names of one version are ordered
 * likewise.
 */
export async function versionsOf(rows: Rows, documentId: string): Promise<VersionRow[]> {
  const all = () => rows.from("versions").select("*").eq("document_id", documentId);
  const versions = await allRows(all, ["id"], versionRow);
  return sorted(versions, ({ createdAt }) => createdAt, -1).sort((a, b) => b.at - a.at);
}

/**
 * Reads a page of a document's named versions, latest first, after one of them (null: the first
 * page).
 */
export async function versionsBehind(
  rows: Rows,
  documentId: string,
  last: Pick<VersionRow, "id" | "at"> | null,
): Promise<VersionRow[]> {
  const all = rows.from("versions").select("*").eq("document_id", documentId);
  const behind = last ? all.or(`at.lt.${last.at},and(at.eq.${last.at},id.lt.${last.id})`) : all;
  const latest = behind.order("at", { ascending: false }).order("id", { ascending: false });
  return readRows(await latest.limit(rowsAtATime), versionRow);
}

/** Reads the latest name of a version, or null if the version has no name. */
export async function versionAt(
  rows: Rows,
  documentId: string,
  at: number,
): Promise<VersionRow | null> {
  const named = rows.from("versions").select("*").eq("document_id", documentId).eq("at", at);
  const latest = named.order("created_at", { ascending: false });
  return readRows(await latest.limit(1), versionRow)[0] ?? null;
}

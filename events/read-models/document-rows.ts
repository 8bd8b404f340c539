import * as z from "zod/mini";
import { allRows, readByIds, readRows, sorted } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

export const documentRow = z.pipe(
  z.object({
    id: z.string(),
    workspace_id: z.string(),
    title: z.string(),
    icon: z.nullable(z.string()),
    template: z.boolean(),
    parent_id: z.nullable(z.string()),
    rank: z.string(),
    phase: z.string(),
    version: z.int(),
    created_by: z.string(),
    created_at: z.string(),
    updated_by: z.string(),
    updated_at: z.string(),
    edits: z.int(),
    forked_from: z.nullable(z.string()),
    forked_at: z.nullable(z.int()),
  }),
  z.transform((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    icon: row.icon,
    template: row.template,
    /** The document's parent and its rank there, which `machines/tree-path.ts` compares. */
    parent: row.parent_id,
    rank: row.rank,
    phase: row.phase,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
    edits: row.edits,
    forkedFrom: row.forked_from,
    forkedAt: row.forked_at,
  })),
);
export type DocumentRow = z.output<typeof documentRow>;

/** Reads a workspace's documents, live and trashed, last changed first. */
export async function documentsOf(rows: Rows, workspaceId: string): Promise<DocumentRow[]> {
  const all = () => rows.from("documents").select("*").eq("workspace_id", workspaceId);
  return sorted(await allRows(all, ["id"], documentRow), ({ updatedAt }) => updatedAt, -1);
}

const versionRow = z.object({ id: z.string(), version: z.int() });

/** Reads the version of each document of a workspace. */
export function versionsOfDocuments(
  rows: Rows,
  workspaceId: string,
): Promise<z.output<typeof versionRow>[]> {
  const all = () => rows.from("documents").select("id,version").eq("workspace_id", workspaceId);
  return allRows(all, ["id"], versionRow);
}

/** Reads documents by id. Documents that the reader may not see are absent. */
export function documentsById(rows: Rows, ids: readonly string[]): Promise<DocumentRow[]> {
  return readByIds(ids, async (some) =>
    readRows(await rows.from("documents").select("*").in("id", some), documentRow),
  );
}

/**
 * Reads the documents that began as copies of these, in any workspace, oldest first. Documents that
 * the reader may not see are absent.
 */
export async function forksOf(rows: Rows, ids: readonly string[]): Promise<DocumentRow[]> {
  const forks = await readByIds(ids, (some) =>
    allRows(() => rows.from("documents").select("*").in("forked_from", some), ["id"], documentRow),
  );
  return sorted(forks, ({ createdAt }) => createdAt);
}

/** Reads one document. Resolves to null if it does not exist or the reader may not see it. */
export async function documentById(rows: Rows, id: string): Promise<DocumentRow | null> {
  return (await documentsById(rows, [id]))[0] ?? null;
}

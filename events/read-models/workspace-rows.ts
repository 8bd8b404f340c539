import * as z from "zod/mini";
import { allRows, readByIds, readRows } from "@/events/log/paged-rows";
import { faultOf } from "@/events/log/store";
import type { MemberRow } from "./member-rows";
import type { Rows } from "./rows";

const workspaceRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    phase: z.string(),
    version: z.int(),
    created_by: z.string(),
    created_at: z.string(),
    viewer_history: z.enum(["versions", "everything"]),
    commenter_history: z.enum(["versions", "everything"]),
  }),
  z.transform((row) => ({
    id: row.id,
    name: row.name,
    phase: row.phase,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    history: { viewer: row.viewer_history, commenter: row.commenter_history },
  })),
);
export type WorkspaceRow = z.output<typeof workspaceRow>;

type Role = MemberRow["role"];

const membership = z.object({ workspace_id: z.string() });
const writers: readonly Role[] = ["owner", "editor"];

/** Reads the workspaces of which the reader is an active member, sorted by name. */
export function myWorkspaces(rows: Rows, userId: string): Promise<WorkspaceRow[]> {
  return workspacesOf(rows, userId, [...writers, "commenter", "viewer"]);
}

/** Reads the workspaces in which the reader may create documents, sorted by name. */
export function workspacesToWriteIn(rows: Rows, userId: string): Promise<WorkspaceRow[]> {
  return workspacesOf(rows, userId, writers);
}

async function workspacesOf(
  rows: Rows,
  userId: string,
  roles: readonly Role[],
): Promise<WorkspaceRow[]> {
  const mine = () =>
    rows
      .from("members")
      .select("workspace_id")
      .eq("user_id", userId)
      .eq("phase", "active")
      .in("role", roles);
  const found = await readByIds(
    (await allRows(mine, ["workspace_id"], membership)).map((row) => row.workspace_id),
    async (ids) => readRows(await rows.from("workspaces").select("*").in("id", ids), workspaceRow),
  );
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

export const namedWorkspace = z.object({ id: z.string(), name: z.string() });
export type NamedWorkspace = z.output<typeof namedWorkspace>;

/**
 * Reads at most `most` of the reader's workspaces, sorted by name, after one of them (null: from
 * the first).
 */
export async function workspacesBehind(
  rows: Pick<Rows, "rpc">,
  last: NamedWorkspace | null,
  most: number,
): Promise<NamedWorkspace[]> {
  const place = { after_name: last?.name ?? null, after_id: last?.id ?? null };
  const { data, error, status } = await rows.rpc("read_workspaces", { ...place, most });
  if (error) throw faultOf(error, status);
  return z.array(namedWorkspace).parse(data);
}

/** Reads one workspace. Resolves to null if it does not exist or the reader may not see it. */
export async function workspaceById(rows: Rows, id: string): Promise<WorkspaceRow | null> {
  return readRows(await rows.from("workspaces").select("*").eq("id", id), workspaceRow)[0] ?? null;
}

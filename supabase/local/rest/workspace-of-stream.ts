import type { Sql } from "postgres";
import { z } from "zod";

const mostKnown = 10_000;
const creationSchema = z.object({ type: z.literal("document.created"), body: z.string() });
const bodySchema = z.object({ workspaceId: z.string() });

/**
 * Finds the workspace of a stream. A stream's workspace never changes, so each stream is queried
 * once. For a document that is being created, the first event names the workspace. Returns null for
 * an account's stream, and while the database does not respond.
 */
export function workspaceOfStream(sql: Sql) {
  const known = new Map<string, string>();
  return async (stream: string, events: readonly unknown[]): Promise<string | null> => {
    const found = known.get(stream);
    if (found !== undefined) return found;
    const created = createdIn(events[0]);
    if (created !== null) return created;
    const [row] = await sql<{ workspace: string | null }[]>`
      select workspace_id as workspace from private.streams where id = ${stream}`.catch(() => []);
    if (row?.workspace == null) return null;
    const oldest = known.size >= mostKnown ? known.keys().next() : null;
    if (oldest && !oldest.done) known.delete(oldest.value);
    known.set(stream, row.workspace);
    return row.workspace;
  };
}

function createdIn(event: unknown): string | null {
  const creation = creationSchema.safeParse(event);
  if (!creation.success) return null;
  try {
    return bodySchema.safeParse(JSON.parse(creation.data.body)).data?.workspaceId ?? null;
  } catch {
    return null;
  }
}

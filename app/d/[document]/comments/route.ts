import { isUuid } from "@/events/core/ids/is-uuid";
import { documentById } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { CallerGone } from "@/app/_server/workers/task";
import { runTask } from "@/app/_server/workers/workers";

export const dynamic = "force-dynamic";

const nothing = (status: number) => new Response(null, { status });

/**
 * Returns all comments on the current text, for a reader who may not read its log. The page
 * includes only the newest. 404 if the caller is not a member, or if the page shows no comments.
 */
export async function GET(
  { signal }: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const { document } = await params;
  const client = await pageClient();
  const who = await identity(client);
  const row = who && isUuid(document) ? await documentById(client, document) : null;
  if (!who || !row || row.phase === "purged") return nothing(404);
  const own = await memberOf(client, row.workspaceId, who.userId);
  if (own?.phase !== "active") return nothing(404);
  const service = serviceClient();
  if (!service) return nothing(503);
  const comments = await runTask(
    "wholeComments",
    { document, at: null, light: true, seen: row.version },
    { client: service, service: true, owner: who.userId, signal },
  ).catch((error: unknown) => {
    if (error instanceof CallerGone) return null;
    throw error;
  });
  if (comments === null) return nothing(499);
  if (comments.length === 0) return nothing(404);
  return new Response(new Uint8Array(comments), {
    headers: { "content-type": "application/json", "cache-control": "private, no-store" },
  });
}

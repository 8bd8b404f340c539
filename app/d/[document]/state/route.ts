import { isUuid } from "@/events/core/ids/is-uuid";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";
import { mayReadLog } from "@/app/_server/document/readable-log";
import { CallerGone } from "@/app/_server/workers/task";
import { runFold } from "@/app/_server/workers/workers";

export const dynamic = "force-dynamic";

/**
 * Returns the initial state for the editor of a large document, under the caller's rights. 404 if
 * the caller may not read the log.
 */
export async function GET(
  { signal }: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const { document } = await params;
  const client = await pageClient();
  const who = await identity(client);
  if (!who || !isUuid(document) || !(await mayReadLog(client, document)))
    return new Response(null, { status: 404 });
  const packed = await runFold(
    "stateApart",
    { document, at: null, light: false },
    { client, service: false, owner: who.userId, signal },
  ).catch((error: unknown) => {
    if (error instanceof CallerGone) return null;
    throw error;
  });
  if (packed === null) return new Response(null, { status: 499 });
  return new Response(new Uint8Array(packed), {
    headers: { "content-type": "application/octet-stream", "cache-control": "private, no-store" },
  });
}

import { after } from "next/server";
import { isUuid } from "@/events/core/ids/is-uuid";
import { storedSegments } from "@/events/history/segments/segment-store";
import { framed } from "@/events/history/segments/segment-stream";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";
import { mayReadLog } from "@/app/_server/document/readable-log";
import { buildSegmentsLater } from "@/app/_server/maintenance/maintenance";

/**
 * Returns a document's history as consecutive segments, under the caller's rights. 404 if the
 * caller may not read the log.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const { document } = await params;
  const client = await pageClient();
  const who = await identity(client);
  if (!isUuid(document) || !who || !(await mayReadLog(client, document)))
    return new Response(null, { status: 404 });
  const segments = storedSegments(client, document);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await segments.next();
      if (done) controller.close();
      else controller.enqueue(framed(value.bytes));
    },
    cancel: async () => void (await segments.return(undefined)),
  });
  after(() => buildSegmentsLater(document, who.userId));
  // No cache may keep redacted content.
  return new Response(stream, {
    headers: { "content-type": "application/octet-stream", "cache-control": "private, no-store" },
  });
}

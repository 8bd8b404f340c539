import * as z from "zod/mini";
import { isUuid } from "@/events/core/ids/is-uuid";
import { longestComment } from "@/events/core/text/text-lengths";
import { documentById } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { supabaseStore } from "@/events/log/store";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { runFold } from "@/app/_server/workers/workers";

export const dynamic = "force-dynamic";

const longestWords = 100_000;
const proposed = z.strictObject({
  id: z.guid(),
  clientTime: z.optional(z.string().check(z.maxLength(40))),
});

/**
 * A thread on words of the text at version `at`. `near` counts the non-space letters before the
 * words. The client chooses the ids, so that a repeated request is recorded once.
 */
const requestBody = z.strictObject({
  thread: z.guid(),
  comment: z.guid(),
  opened: proposed,
  added: proposed,
  words: z.string().check(z.minLength(1), z.maxLength(longestWords)),
  at: z.int().check(z.minimum(1)),
  near: z.int().check(z.minimum(0)),
  text: z.string().check(z.minLength(1), z.maxLength(longestComment)),
});

const refused = (status: number, message: string) => Response.json({ message }, { status });

/**
 * Opens a thread for a commenter who may not read the log. The server anchors the thread to the
 * words at the position that the page shows, so that no position in the log is disclosed.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  const { document } = await params;
  const parsed = requestBody.safeParse(await request.json().catch(() => null));
  if (!who) return refused(401, "signed out");
  if (!parsed.success || !isUuid(document)) return refused(400, "this could not be read");
  const row = await documentById(client, document);
  if (!row) return refused(404, "no such document");
  // The database decides. This check only avoids folding the text for people who may not comment.
  const own = await memberOf(client, row.workspaceId, who.userId);
  if (own?.phase !== "active" || own.role === "viewer")
    return Response.json({
      ok: false,
      refusal: { name: "not-permitted", detail: "this needs the right commenter" },
    });
  const service = serviceClient();
  if (!service) return refused(503, "no service key");
  const { thread, comment, opened, added, words, at, near, text } = parsed.data;
  const anchor = await runFold(
    "anchor",
    { document, at, light: true, words, near },
    { client: service, service: true, owner: who.userId, signal: request.signal },
  );
  // The words have changed since the page showed them.
  if (!anchor)
    return Response.json({
      ok: false,
      refusal: { name: "version-conflict", detail: "these words are gone" },
    });
  const answer = await supabaseStore(client).append(document, null, [
    {
      ...stamped(opened),
      type: "thread.opened",
      body: anchor,
      subject: { kind: "thread", id: thread },
    },
    {
      ...stamped(added),
      type: "comment.added",
      body: { thread, text },
      subject: { kind: "comment", id: comment },
    },
  ]);
  return Response.json(
    answer.ok ? { ok: true, version: answer.rulings.at(-1)?.version ?? 0 } : answer,
  );
}

function stamped({ id, clientTime }: z.output<typeof proposed>) {
  return { id, ...(clientTime !== undefined && { clientTime }) };
}

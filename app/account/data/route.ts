import { isUuid } from "@/events/core/ids/is-uuid";
import { reportError } from "@/events/core/error-report";
import { readOwnDocuments } from "@/events/read-models/account-end";
import { documentById } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { workspaceById } from "@/events/read-models/workspace-rows";
import { seesEverything } from "@/machines/history-visibility";
import { ownData } from "@/app/_server/account/own-data";
import { whyUnread } from "@/app/_server/account/unread-words";
import { BudgetSpent, CallerGone } from "@/app/_server/workers/task";
import { runIn } from "@/app/_server/workers/workers";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";

export const dynamic = "force-dynamic";

const headers = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
};

const refused = (status: number, message: string) => Response.json({ message }, { status });

/** Reports a listed document that the person may no longer read, so that the others follow. */
const gone = () => refused(404, "You can’t read this document any more.");

/** Returns a person's own writing in a document that they may still read. */
async function ownWords(document: string, signal: AbortSignal): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  // A signed-out client retries, since the documents are not lost.
  if (!who) return new Response(null, { status: 404 });
  const row = isUuid(document) ? await documentById(client, document) : null;
  if (!row || row.phase === "purged") return gone();
  const [member, workspace] = await Promise.all([
    memberOf(client, row.workspaceId, who.userId),
    workspaceById(client, row.workspaceId),
  ]);
  if (member?.phase !== "active" || !workspace) return gone();
  const seesHistory = seesEverything(member.role, workspace.history);
  // People may read their own words regardless of history visibility. The service reads no other
  // data for them.
  const service = seesHistory ? null : serviceClient();
  if (!seesHistory && !service)
    return refused(503, "This installation has no service key, so this text can’t be read here.");
  try {
    const words = await runIn(
      "heavy",
      "ownWords",
      { document: row.id, person: who.userId, seesHistory },
      { client: service ?? client, service: service !== null, owner: who.userId, signal },
    );
    return new Response(new Uint8Array(words), { headers });
  } catch (error) {
    if (error instanceof CallerGone) return new Response(null, { status: 499 });
    const why = whyUnread(error);
    if (why === null) throw error;
    if (!(error instanceof BudgetSpent))
      reportError(error, { during: "reading a person's own text", documentId: row.id });
    return refused(422, why);
  }
}

/**
 * Returns a person's data export, in parts. With `?document=`, it returns their writing in that
 * document. Otherwise it returns their account data and the list of documents they wrote in.
 */
export async function GET(request: Request): Promise<Response> {
  const document = new URL(request.url).searchParams.get("document");
  if (document !== null) return ownWords(document, request.signal);
  const client = await pageClient();
  const who = await identity(client);
  if (!who) return new Response(null, { status: 404 });
  const [own, documents] = await Promise.all([ownData(client, who), readOwnDocuments(client)]);
  return new Response(JSON.stringify({ ...own, documents }), { headers });
}

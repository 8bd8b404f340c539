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

/** One that was listed, and that they may not read any more: told, so that the others come all the same. */
const gone = () => refused(404, "You can’t read this document any more.");

/** What somebody wrote in a document that they may still read; theirs alone. */
async function ownWords(document: string, signal: AbortSignal): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  // Whoever is signed out has not lost their documents: what was begun is tried again.
  if (!who) return new Response(null, { status: 404 });
  const row = isUuid(document) ? await documentById(client, document) : null;
  if (!row || row.phase === "purged") return gone();
  const [member, workspace] = await Promise.all([
    memberOf(client, row.workspaceId, who.userId),
    workspaceById(client, row.workspaceId),
  ]);
  if (member?.phase !== "active" || !workspace) return gone();
  const seesHistory = seesEverything(member.role, workspace.history);
  // Their own words are theirs, whoever may see how texts were written; the service reads no more of it to them.
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
      reportError(error, { during: "reading somebody's own words", documentId: row.id });
    return refused(422, why);
  }
}

/**
 * Everything that a person may take with them, in parts: of a document what they wrote there, and
 * without one what is known of them and in which documents they wrote.
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

import { isUuid } from "@/events/core/ids/is-uuid";
import { toBase64 } from "@/events/core/bytes/base64";
import { systemRandom } from "@/events/core/clock";
import type { Proposal } from "@/events/core/envelope";
import { readTombstone } from "@/events/crdt/payload/tombstone-payload";
import { documentById } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { findSnapshot } from "@/events/crdt/validation/snapshot";
import { supabaseStore } from "@/events/log/store";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { runIn } from "@/app/_server/workers/workers";

export const dynamic = "force-dynamic";

/** The most edits that fit into one batch. */
const most = 199;

const refused = (status: number, message: string) =>
  Response.json({ ok: false, message }, { status });

/**
 * Redacts, for an owner, the largest edits after the version from which a document could no longer
 * be opened. The document can then be opened again.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  const { document } = await params;
  if (!who) return refused(401, "You are signed out. Nothing was changed; sign in and try again.");
  const row = isUuid(document) ? await documentById(client, document) : null;
  const own = row && (await memberOf(client, row.workspaceId, who.userId));
  if (own?.role !== "owner" || own.phase !== "active")
    return refused(403, "Only owners can remove changes for good. Nothing was changed.");
  const service = serviceClient();
  if (!service)
    return refused(
      503,
      "This installation has no service key, without which no change can be removed. Nothing was changed.",
    );
  const { stoppedAt } = await findSnapshot(service, document);
  if (stoppedAt === null)
    return refused(409, "This document can be opened. Nothing was changed; reload the page.");
  const found = await service.rpc("largest_events", {
    stream: document,
    after_version: stoppedAt,
    max_count: most,
  });
  if (found.error) throw new Error(found.error.message);
  const versions: unknown[] = Array.isArray(found.data) ? found.data : [];
  const store = supabaseStore(client);
  const proposals: Proposal[] = [];
  for (const version of versions) {
    const [event] = await store.read(document, Number(version) - 1, 1);
    if (!event?.update || readTombstone(event.update)) continue;
    const { tombstone } = await runIn(
      "heavy",
      "tombstone",
      { event: { body: event.body, update: event.update, clientTime: event.clientTime } },
      { client: service, service: true, owner: who.userId, signal: request.signal },
    );
    const { error } = await service.rpc("attest_tombstone", {
      event: event.id,
      tombstone: toBase64(tombstone),
    });
    if (error) throw new Error(error.message);
    proposals.push({
      id: systemRandom.uuid(),
      type: "document.redacted",
      body: { event: event.id, reason: "This made the document too large to open." },
      update: tombstone,
    });
  }
  if (proposals.length === 0)
    return refused(
      409,
      "No single change here is large enough to be worth removing. Fork the document from its history to write on.",
    );
  const answer = await store.append(document, null, proposals);
  return Response.json(
    answer.ok
      ? answer
      : { ok: false, message: "The changes could not be removed. Nothing was changed; try again." },
    { status: answer.ok ? 200 : 409 },
  );
}

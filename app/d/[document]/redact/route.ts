import * as z from "zod/mini";
import { isUuid } from "@/events/core/ids/is-uuid";
import { longestReason } from "@/events/core/text/text-lengths";
import { toBase64 } from "@/events/core/bytes/base64";
import type { Proposal } from "@/events/core/envelope";
import { mostAlong } from "@/events/crdt/payload/repeated-words";
import { bringTombstone, readTombstone } from "@/events/crdt/payload/tombstone-payload";
import { documentById } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { supabaseStore } from "@/events/log/store";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { runIn } from "@/app/_server/workers/workers";
import { unfitness } from "@/app/_server/document/redaction-targets";

export const dynamic = "force-dynamic";

/**
 * `id` is the idempotency key of the redaction. `version` is that of the event whose payload the
 * redaction destroys.
 */
const target = { id: z.guid(), version: z.int().check(z.minimum(1)) };
/** `quotes` are other events that contain the words, destroyed together: all or none. */
const requestBody = z.strictObject({
  ...target,
  reason: z.string().check(z.maxLength(longestReason)),
  quotes: z._default(z.array(z.strictObject(target)).check(z.maxLength(mostAlong)), []),
});

const refused = (status: number, message: string) =>
  Response.json({ ok: false, message }, { status });

const unfit = {
  missing: () => refused(404, "There is no such event in this document. Nothing was changed."),
  redacted: () =>
    refused(409, "Some of this is already redacted. Nothing was changed; reload the page."),
  wordless: () => refused(409, "One of these events has nothing to redact. Nothing was changed."),
};

/**
 * Redacts an event as the caller. The database accepts only tombstones that the service attests to.
 * The service makes them from the payload itself, never from data that a browser sends.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const client = await pageClient();
  const who = await identity(client);
  const { document } = await params;
  const parsed = requestBody.safeParse(await request.json().catch(() => null));
  if (!who) return refused(401, "You are signed out. Nothing was changed; sign in and try again.");
  if (!parsed.success || !isUuid(document))
    return refused(400, "This could not be read. Nothing was changed.");
  const { reason, quotes, ...first } = parsed.data;
  const targets = [first, ...quotes];
  if (
    isTwice(targets.map(({ id }) => id.toLowerCase())) ||
    isTwice(targets.map(({ version }) => version))
  )
    return refused(400, "This names an event twice. Nothing was changed.");
  const row = await documentById(client, document);
  const own = row && (await memberOf(client, row.workspaceId, who.userId));
  if (own?.role !== "owner" || own.phase !== "active")
    return refused(403, "Only owners may redact. Nothing was changed.");
  const store = supabaseStore(client);
  const service = serviceClient();
  if (!service)
    return refused(
      503,
      "This installation has no service key, without which nothing can be redacted. Nothing was changed.",
    );
  const why = await unfitness(client, document, targets);
  if (why) return unfit[why]();
  const proposals: Proposal[] = [];
  for (const { id, version } of targets) {
    const [event] = await store.read(document, version - 1, 1);
    if (!event) return unfit.missing();
    const asker = { client: service, service: true, owner: who.userId, signal: request.signal };
    // A repeated request sends the stored tombstone and gets the original response.
    const standing = event.redactedBy !== undefined;
    const { tombstone, repeats } = standing
      ? { tombstone: bringTombstone(event.update && readTombstone(event.update)), repeats: false }
      : await runIn(
          "heavy",
          "tombstone",
          {
            event: { body: event.body, update: event.update, clientTime: event.clientTime },
            ...(version === first.version && { reason }),
          },
          asker,
        );
    if (repeats)
      return refused(
        400,
        "The reason repeats the text to be redacted. Nothing was changed; say it without them.",
      );
    if (event.update && !standing) {
      const { error } = await service.rpc("attest_tombstone", {
        event: event.id,
        tombstone: toBase64(tombstone),
      });
      if (error) throw new Error(error.message);
    }
    proposals.push({
      id,
      type: "document.redacted",
      body: { event: event.id, reason },
      update: tombstone,
    });
  }
  const answer = await store.append(document, null, proposals);
  return Response.json(answer, { status: answer.ok ? 200 : 409 });
}

function isTwice(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

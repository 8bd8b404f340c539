import * as z from "zod/mini";
import { whereIs } from "@/events/analysis/anchors/anchor";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { liveText } from "@/events/analysis/anchors/live-anchor";
import type { Outcome } from "@/events/log/live-stream";
import { refusalNames } from "@/events/log/refusal-reasons";
import { StoreFault } from "@/events/log/store";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { pageFetch } from "@/components/session/person/page-person";
import type { XmlFragment } from "yjs";

const answered = z.union([
  z.object({ ok: z.literal(true), version: z.int() }),
  z.object({
    ok: z.literal(false),
    refusal: z.object({ name: z.enum(refusalNames), detail: z.string() }),
  }),
]);

type Input = {
  documentId: string;
  fragment: XmlFragment;
  /** The version of the text in `fragment`. */
  textVersion: number;
  anchor: Anchor;
  text: string;
  opened: OptimisticEvent;
  added: OptimisticEvent;
};

/**
 * Opens a thread on words of a plain text, whose anchor does not exist in the log. The server
 * receives the words, their place, and the version of the text. Throws StoreFault if no ruling
 * (acknowledgement) arrives.
 */
export async function openPlainThread({
  documentId,
  fragment,
  textVersion,
  anchor,
  text,
  opened,
  added,
}: Input): Promise<Outcome> {
  const shown = liveText(fragment);
  const where = whereIs(anchor, shown);
  if (where.state === "gone")
    return { ok: false, refusal: { name: "version-conflict", detail: "these words are gone" } };
  const body = {
    thread: opened.subject.id,
    comment: added.subject.id,
    opened: { id: opened.id, clientTime: opened.time },
    added: { id: added.id, clientTime: added.time },
    at: textVersion,
    words: shown.letters.between(where.from, where.to),
    near: shown.letters.indexOf(where.from),
    text,
  };
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await pageFetch(`/d/${documentId}/thread`, request).catch((fault: unknown) => {
    throw new StoreFault(String(fault), 0);
  });
  if (!response.ok) throw new StoreFault(response.statusText, response.status);
  const answer = answered.safeParse(await response.json().catch(() => null));
  if (!answer.success) throw new StoreFault("invalid response", response.status);
  return answer.data;
}

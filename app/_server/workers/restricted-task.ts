import { decodeStateVector, encodeStateVector } from "yjs";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { anchorOutcomes } from "@/events/analysis/anchors/anchor-outcomes";
import { rewritingOf } from "@/events/analysis/rewriting";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { placeOf } from "@/events/analysis/anchors/plain-stretch";
import { toBase64 } from "@/events/core/base64";
import { writeSnapshot } from "@/events/crdt/validation/snapshot";
import { commentsOf, threadsOf } from "@/events/read-models/thread-rows";
import { plainCopy } from "@/events/crdt/updates/plain-copy";
import { longestQuote } from "@/events/core/text-lengths";
import { beginningHtml } from "@/events/content/static-html";
import type { CommentRows, RestrictedComments } from "@/machines/restricted-comments";
import { type Folded, fold, snapshotOf, type FoldRequest } from "./fold";
import { readHistory } from "./history-source";
import { firstLetters, rememberEnd } from "./present-task";
import type { Tools } from "./task";

/** A page waits for it, so no longer history is read for where words went. */
const longestHistory = 1_000;

/**
 * `seen` is the newest version that the database told of before the fold; `commentRows` are to be
 * placed in the present text.
 */
type RestrictedRequest = FoldRequest & {
  seen: number;
  commentRows: (CommentRows & Pick<RestrictedComments, "isWhole">) | null;
  longestTail: number;
};
/** `tail` is how many events had to be read for it. */
type RestrictedAnswer = {
  html: string;
  whole: boolean;
  version: number;
  restrictedComments: RestrictedComments | null;
  stoppedAt: number | null;
  tail: number;
};

/**
 * The comments on a text, with places in the plain text in the stead of anchors, which name letters
 * of the log.
 */
function commentsOn(
  { confirmed }: Folded,
  version: number,
  { threads, comments }: CommentRows,
  memory: AnchorMemory,
): Omit<RestrictedComments, "isWhole"> {
  const fragment = confirmed.doc.getXmlFragment("default");
  const text = liveText(fragment, memory);
  const placed = threads.map(({ start, end, quote, ...rest }) => ({
    ...rest,
    quote,
    place: placeOf({ start, end, quote }, text),
  }));
  return {
    version,
    state: toBase64(plainCopy(fragment)),
    threads: placed,
    comments: [...comments],
  };
}

/**
 * Places the comments of a text. What became of words that are not where they were is read from the
 * history, where that is short.
 */
async function placedComments(
  client: SupabaseClient,
  folded: Folded,
  { document, seen }: Pick<RestrictedRequest, "document" | "seen">,
  rows: CommentRows,
): Promise<Omit<RestrictedComments, "isWhole">> {
  const { confirmed } = folded;
  const memory = new AnchorMemory(decodeStateVector(encodeStateVector(confirmed.doc)));
  const placed = commentsOn(folded, seen, rows, memory);
  if (!memory.hasOpen || confirmed.version > longestHistory) return placed;
  const timeline = await readHistory(client, document);
  const { answers, known } = anchorOutcomes(timeline, rewritingOf(timeline), memory.takeOpen());
  memory.learn(answers, known);
  return commentsOn(folded, seen, rows, memory);
}

/** Folds a document, or a version of it that has a name, for a reader who may not read its log. */
export async function restricted(
  client: SupabaseClient,
  request: RestrictedRequest,
  tools: Tools,
): Promise<RestrictedAnswer> {
  const folded = await fold(client, request, tools);
  await rememberEnd(folded, request.document, tools);
  const { confirmed, tail, stoppedAt } = folded;
  const { html, whole } = beginningHtml(confirmed.doc.getXmlFragment("default"), firstLetters);
  // Its plain state would go with the page; who may not read the log gets no other way to it.
  const restrictedComments =
    request.commentRows && whole && stoppedAt === null
      ? {
          ...(await placedComments(client, folded, request, request.commentRows)),
          isWhole: request.commentRows.isWhole,
        }
      : null;
  return {
    html,
    whole,
    version: confirmed.version,
    restrictedComments,
    stoppedAt,
    tail: tail.events,
  };
}

/**
 * All comments on the present text, as JSON in UTF-8, or nothing where the page shows no more than a beginning. They
 * are read, placed and written down on this thread: 50 000 of them would hold up the one that answers.
 */
export async function wholeComments(
  client: SupabaseClient,
  request: FoldRequest & Pick<RestrictedRequest, "seen">,
  tools: Tools,
): Promise<Uint8Array> {
  // The comments first: the text that is read after them holds whatever they are about.
  const [threads, comments] = await Promise.all([
    threadsOf(client, request.document),
    commentsOf(client, request.document),
  ]);
  const folded = await fold(client, request, tools);
  const { whole } = beginningHtml(folded.confirmed.doc.getXmlFragment("default"), firstLetters);
  if (!whole || folded.stoppedAt !== null) return new Uint8Array();
  const placed = await placedComments(client, folded, request, { threads, comments });
  const answer: RestrictedComments = { ...placed, isWhole: true };
  return new TextEncoder().encode(JSON.stringify(answer));
}

/** Keeps the state of a document as it was folded for somebody, where what had to be read for it was long. */
export async function storeRestricted(
  client: SupabaseClient,
  { document, at, seen, longestTail, light }: RestrictedRequest,
  tools: Tools,
): Promise<void> {
  const folded = await fold(client, { document, at, light }, tools);
  if (folded.head === null || folded.tail.events <= longestTail) return;
  await writeSnapshot(client, document, snapshotOf(folded), {
    head: folded.head,
    seen: Math.max(seen, folded.confirmed.version),
  });
}

type AnchorRequest = FoldRequest & { words: string; near: number };

/** Finds words in the present text; null where they are gone. */
export async function anchor(
  client: SupabaseClient,
  { words, near, ...request }: AnchorRequest,
  tools: Tools,
): Promise<Anchor | null> {
  const { confirmed } = await fold(client, request, tools);
  const text = liveText(confirmed.doc.getXmlFragment("default"));
  const stretch = text.letters.nearest(words, near, () => true);
  return (stretch && anchorOf(text, stretch.from, stretch.to, longestQuote)) ?? null;
}

import { decodeStateVector, encodeStateVector } from "yjs";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { anchorOutcomes } from "@/events/analysis/anchors/anchor-outcomes";
import { rewritingOf } from "@/events/analysis/rewriting";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { placeOf, standsWhole, wordsAt } from "@/events/analysis/anchors/plain-stretch";
import { toBase64 } from "@/events/core/bytes/base64";
import { writeSnapshot } from "@/events/crdt/validation/snapshot";
import { commentsOf, threadsOf } from "@/events/read-models/thread-rows";
import { plainCopy } from "@/events/crdt/updates/plain-copy";
import { longestQuote } from "@/events/core/text/text-lengths";
import { beginningHtml } from "@/events/content/static-html";
import type { CommentRows, RestrictedComments } from "@/machines/restricted-comments";
import { fold, snapshotOf } from "./fold";
import type { Folded, FoldRequest } from "./fold";
import { readHistory } from "./history-source";
import { firstLetters, rememberEnd } from "./present-task";
import type { Tools } from "./task";

/** The longest history that is searched for moved words, since a page waits for the search. */
const longestHistory = 1_000;

/**
 * `seen` is the newest version that the database reported before the fold. `commentRows` are placed
 * in the current text.
 */
type RestrictedRequest = FoldRequest & {
  seen: number;
  commentRows: (CommentRows & Pick<RestrictedComments, "isWhole">) | null;
  longestTail: number;
};
/** `tail` is the number of events that had to be read. */
type RestrictedAnswer = {
  html: string;
  whole: boolean;
  version: number;
  restrictedComments: RestrictedComments | null;
  stoppedAt: number | null;
  tail: number;
};

/**
 * Returns the comments on a text, with positions in the plain text instead of anchors, which refer
 * to letters of the log.
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
    textVersion: confirmed.version,
    state: toBase64(plainCopy(fragment)),
    threads: placed,
    comments: [...comments],
  };
}

/**
 * Calls `read` with the positions of words in a text. Words that have moved are looked up in the
 * history if the history is short.
 */
async function withHistory<T>(
  client: SupabaseClient,
  { confirmed }: Folded,
  document: string,
  read: (memory: AnchorMemory) => T,
): Promise<T> {
  const memory = new AnchorMemory(decodeStateVector(encodeStateVector(confirmed.doc)));
  const found = read(memory);
  if (!memory.hasOpen || confirmed.version > longestHistory) return found;
  const timeline = await readHistory(client, document);
  const { answers, known } = anchorOutcomes(timeline, rewritingOf(timeline), memory.takeOpen());
  memory.learn(answers, known);
  return read(memory);
}

const placedComments = (
  client: SupabaseClient,
  folded: Folded,
  { document, seen }: Pick<RestrictedRequest, "document" | "seen">,
  rows: CommentRows,
): Promise<Omit<RestrictedComments, "isWhole">> =>
  withHistory(client, folded, document, (memory) => commentsOn(folded, seen, rows, memory));

/** Folds a document or a named version for a reader who may not read its log. */
export async function restricted(
  client: SupabaseClient,
  request: RestrictedRequest,
  tools: Tools,
): Promise<RestrictedAnswer> {
  const folded = await fold(client, request, tools);
  await rememberEnd(folded, request.document, tools);
  const { confirmed, tail, stoppedAt } = folded;
  const { html, whole } = beginningHtml(confirmed.doc.getXmlFragment("default"), firstLetters);
  // The answer has no plain state: it would be sent with the page, and this reader may not have it.
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
 * Returns all comments on the current text, as JSON in UTF-8. Empty if the page shows only the
 * beginning. This thread reads, places and serialises the comments, because 50 000 of them would
 * block the main thread.
 */
export async function wholeComments(
  client: SupabaseClient,
  request: FoldRequest & Pick<RestrictedRequest, "seen">,
  tools: Tools,
): Promise<Uint8Array> {
  // Comments are read before the text, so that the text contains every passage they refer to.
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

/** Stores the folded state as a snapshot if its tail was long. */
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

type AnchorRequest = Pick<FoldRequest, "document" | "light"> & {
  /** The version that the page shows, in which `words` follow `near` letters. */
  at: number;
  words: string;
  near: number;
};

/**
 * Anchors words at a position in the text of a version. Returns null if other words stand there, or
 * if the words are not intact in the current text. The caller may not read the log, so both cases
 * look alike.
 */
export async function anchor(
  client: SupabaseClient,
  { document, at, light, words, near }: AnchorRequest,
  tools: Tools,
): Promise<Anchor | null> {
  const present = await fold(client, { document, at: null, light }, tools);
  const { version } = present.confirmed;
  if (version - at > longestHistory) return null;
  // The progress of this document has already been reported.
  const untold: Tools = { ...tools, progress: () => undefined };
  const shown = at < version ? await fold(client, { document, at, light }, untold) : present;
  // A late fold may end before the version that the page shows.
  if (shown.late && shown.confirmed.version < at) return null;
  const text = liveText(shown.confirmed.doc.getXmlFragment("default"));
  const stretch = wordsAt(words, near, text);
  const made = stretch && anchorOf(text, stretch.from, stretch.to, longestQuote);
  if (!made) return null;
  const stands = await withHistory(client, present, document, (memory) =>
    standsWhole(made, words, liveText(present.confirmed.doc.getXmlFragment("default"), memory)),
  );
  return stands ? made : null;
}

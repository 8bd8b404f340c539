import type { SupabaseClient } from "@supabase/supabase-js";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { placeOf } from "@/events/analysis/anchors/plain-place";
import { toBase64 } from "@/events/core/base64";
import { writeSnapshot } from "@/events/crdt/validation/snapshot";
import type { CommentRow, ThreadRow } from "@/events/read-models/thread-rows";
import { plainCopy } from "@/events/crdt/updates/plain-copy";
import { longestQuote } from "@/machines/thread";
import { beginningHtml } from "@/events/content/static-html";
import type { RestrictedComments } from "@/machines/restricted-comments";
import { type Folded, fold, snapshotOf, type Wish } from "./fold";
import { firstLetters, rememberEnd } from "./present-task";
import type { Tools } from "./task";

type Said = { threads: ThreadRow[]; comments: CommentRow[] };
/** `seen` is the newest version that the database told of before the fold; `said` is what is to be placed in the present text. */
type RestrictedRequest = Wish & { seen: number; said: Said | null; longestTail: number };
/** `tail` is how many events had to be read for it. */
type RestrictedAnswer = {
  html: string;
  whole: boolean;
  version: number;
  talk: RestrictedComments | null;
  stoppedAt: number | null;
  tail: number;
};

/** What is said about a text, with places in the plain text in the stead of anchors, which name letters of the log. */
function commentsOn(
  { confirmed }: Folded,
  version: number,
  { threads, comments }: Said,
): RestrictedComments {
  const fragment = confirmed.doc.getXmlFragment("default");
  const text = liveText(fragment);
  const placed = threads.map(({ start, end, quote, ...told }) => ({
    ...told,
    quote,
    place: placeOf({ start, end, quote }, text),
  }));
  return { version, state: toBase64(plainCopy(fragment)), threads: placed, comments };
}

/** Folds a document, or a version of it that has a name, for a reader who may not read its log. */
export async function restricted(
  client: SupabaseClient,
  wish: RestrictedRequest,
  tools: Tools,
): Promise<RestrictedAnswer> {
  const folded = await fold(client, wish, tools);
  await rememberEnd(folded, wish.document, tools);
  const { confirmed, tail, stoppedAt } = folded;
  const { html, whole } = beginningHtml(confirmed.doc.getXmlFragment("default"), firstLetters);
  // Its plain state would go with the page; who may not read the log gets no other way to it.
  const talk =
    wish.said && whole && stoppedAt === null ? commentsOn(folded, wish.seen, wish.said) : null;
  return { html, whole, version: confirmed.version, talk, stoppedAt, tail: tail.events };
}

/** Keeps the state of a document as it was folded for somebody, where what had to be read for it was long. */
export async function keepRestricted(
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

type AnchorWish = Wish & { words: string; near: number };

/** Finds words in the present text; null where they are gone. */
export async function anchor(
  client: SupabaseClient,
  { words, near, ...wish }: AnchorWish,
  tools: Tools,
): Promise<Anchor | null> {
  const { confirmed } = await fold(client, wish, tools);
  const fragment = confirmed.doc.getXmlFragment("default");
  const stretch = liveText(fragment).letters.nearest(words, near);
  return (stretch && anchorOf(fragment, stretch.from, stretch.to, longestQuote)) ?? null;
}

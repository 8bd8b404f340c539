import * as z from "zod/mini";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { stretchAt } from "@/events/analysis/anchors/plain-stretch";
import type { CommentRow, ThreadRow } from "@/events/read-models/thread-rows";
import { longestQuote } from "@/events/core/text/text-lengths";
import type { XmlFragment } from "yjs";

const placedThread = z.object({
  id: z.string(),
  phase: z.string(),
  quote: z.string(),
  openedBy: z.string(),
  openedAt: z.string(),
  openedVersion: z.int(),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.string()),
  place: z.nullable(z.object({ from: z.int(), to: z.int() })),
});
const comment = z.object({
  id: z.string(),
  phase: z.string(),
  thread: z.string(),
  text: z.string(),
  authorId: z.string(),
  addedAt: z.string(),
  editedAt: z.nullable(z.string()),
});

/**
 * The comments on the present text for a reader without access to the log. `version` is a lower
 * bound for the document version of all fields. `textVersion` is the version of the text in
 * `state`, a plain Yjs state (`plainCopy`) in base64. `isWhole` says whether these are all threads:
 * a page has the newest threads, and `/d/<document>/comments` returns all.
 */
export const restrictedComments = z.object({
  version: z.int(),
  textVersion: z.int(),
  state: z.string(),
  threads: z.array(placedThread),
  comments: z.array(comment),
  isWhole: z.boolean(),
});
export type RestrictedComments = z.output<typeof restrictedComments>;

/**
 * A thread for a restricted reader. `place` is the range of its passage in the plain text, or null
 * if the passage was deleted.
 */
type PlacedThread = z.output<typeof placedThread>;

/** Threads, and their comments. */
export type CommentRows = { threads: readonly ThreadRow[]; comments: readonly CommentRow[] };

/** Anchors the threads in this copy of the plain text, so that they follow its changes. */
export function anchored(threads: readonly PlacedThread[], fragment: XmlFragment): ThreadRow[] {
  const text = liveText(fragment);
  return threads.map(({ place, ...thread }) => {
    const stretch = place && stretchAt(place, text);
    const anchor: Anchor | null = stretch && anchorOf(text, stretch.from, stretch.to, longestQuote);
    return { ...thread, start: anchor?.start ?? "", end: anchor?.end ?? "" };
  });
}

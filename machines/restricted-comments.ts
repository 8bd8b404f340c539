import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { type Anchor } from "@/events/analysis/anchors/anchor";
import { stretchAt } from "@/events/analysis/anchors/plain-stretch";
import type { PlainPlace } from "@/events/core/plain-place";
import { type CommentRow, type ThreadRow } from "@/events/read-models/thread-rows";
import { longestQuote } from "@/events/core/text-lengths";
import type { XmlFragment } from "yjs";

/** A thread as a restricted reader is told of it: where its words stand in the plain text, null where they are gone. */
export type PlacedThread = Omit<ThreadRow, "start" | "end"> & { place: PlainPlace | null };

/** The comments on the present text, for a reader who does not read its log. */
export type RestrictedComments = {
  /** The version of the document that all of this is at least as new as. */
  version: number;
  /** The text as a plain Yjs state (`plainCopy`), as base64. */
  state: string;
  threads: readonly PlacedThread[];
  comments: readonly CommentRow[];
};

/** The threads with anchors in this copy of the plain text, which go along with it when it changes. */
export function anchored(threads: readonly PlacedThread[], fragment: XmlFragment): ThreadRow[] {
  const text = liveText(fragment);
  return threads.map(({ place, ...thread }) => {
    const stretch = place && stretchAt(place, text);
    const anchor: Anchor | null = stretch && anchorOf(text, stretch.from, stretch.to, longestQuote);
    return { ...thread, start: anchor?.start ?? "", end: anchor?.end ?? "" };
  });
}

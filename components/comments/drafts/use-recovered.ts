"use client";

import { useEffect, useRef } from "react";
import type { CommentThread } from "@/machines/comment-thread";
import type { Sent } from "@/events/device/comment-drafts";
import type { DraftStore } from "./draft-store";

/** Whether the log has a comment that an earlier page sent. */
export function isRecorded(
  { slot, anchor, text }: Sent,
  threads: readonly CommentThread[],
  userId: string,
): boolean {
  return threads.some(({ id: thread, anchor: { quote }, comments }) =>
    comments.some(({ id, authorId, deleted, text: recorded }) => {
      if (authorId !== userId || deleted || recorded !== text) return false;
      return slot === null ? quote === anchor?.quote : slot === thread || slot === id;
    }),
  );
}

type Input = {
  drafts: DraftStore;
  threads: readonly CommentThread[] | null;
  userId: string;
  resume: () => void;
};

/**
 * Restores, once the comments are read, the drafts that an earlier page sent and that were not
 * recorded.
 */
export function useRecovered({ drafts, threads, userId, resume }: Input): void {
  const hasAsked = useRef(false);
  useEffect(() => {
    if (threads === null || hasAsked.current) return;
    hasAsked.current = true;
    drafts.recover((sent) => isRecorded(sent, threads, userId));
    resume();
  }, [drafts, threads, userId, resume]);
}

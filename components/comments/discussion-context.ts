"use client";

import { createContext, use } from "react";
import type { ThreadComment } from "@/machines/comment-thread";
import type { DocumentComments } from "@/machines/comments/document-comments";
import type { DraftStore } from "./drafts/draft-store";

type Settled = Promise<{ ok: boolean }>;

/** The actions, rights and drafts that the notes of one document share. */
type Discussion = {
  commentActions: DocumentComments;
  mayComment: boolean;
  mayChange: (comment: ThreadComment) => boolean;
  isNew: (comment: ThreadComment) => boolean;
  drafts: DraftStore;
  /** Announces an action to screen readers, and its refusal if the action is refused. */
  announceAction: (sentence: string, done: Settled) => Settled;
};

export const DiscussionContext = createContext<Discussion | null>(null);

/** Returns the discussion of the surrounding document. Throws outside `Threads`. */
export function useDiscussion(): Discussion {
  const discussion = use(DiscussionContext);
  if (!discussion) throw new Error("useDiscussion is for the inside of Threads");
  return discussion;
}

"use client";

import { useCallback, useMemo } from "react";
import type { CommentThread } from "@/machines/comment-thread";
import { useSeen } from "./use-seen";

type Input = {
  userId: string;
  documentId: string;
  threads: readonly CommentThread[] | null;
  visible: boolean;
};

type Written = { authorId: string; addedAt: string };

/** Returns which comments of others this reader has not seen yet, and their number. */
export function useNewComments({ userId, documentId, threads, visible }: Input): {
  isNew: (comment: Written) => boolean;
  fresh: number;
} {
  const othersComments = useMemo(
    () =>
      (threads ?? [])
        .flatMap(({ comments }) => comments)
        .filter(({ authorId, deleted }) => authorId !== userId && !deleted),
    [threads, userId],
  );
  const newest =
    threads === null
      ? null
      : othersComments.reduce((latest, { addedAt }) => (addedAt > latest ? addedAt : latest), "0");
  const seen = useSeen(userId, documentId, newest, visible);
  const isNew = useCallback(
    ({ authorId, addedAt }: Written) => authorId !== userId && seen !== null && addedAt > seen,
    [userId, seen],
  );
  return { isNew, fresh: othersComments.filter(isNew).length };
}

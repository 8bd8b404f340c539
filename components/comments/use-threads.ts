"use client";

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { commentsOf, threadsOf } from "@/events/read-models/thread-rows";
import type { LiveDocument } from "@/machines/sync/live-document";
import { commentThreadsOf } from "@/machines/comment-thread";
import type { CommentThread, ThreadComment } from "@/machines/comment-thread";
import { commentRights } from "@/machines/comments/comment-rights";
import type { DocumentComments } from "@/machines/comments/document-comments";
import { ThreadsStore } from "@/machines/comments/threads-store";
import type { Role } from "@/machines/member";
import { useBackend } from "@/components/session/backend-provider";
import { onPageEnd } from "@/components/session/page-end";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";

type Input = {
  documentId: string;
  phase: string;
  userId: string;
  role: Role | null;
  live: LiveDocument;
};

/** The threads of a document, and the reader's rights on them. */
export type ThreadsModel = {
  /** The threads, or null until they are read. */
  threads: readonly CommentThread[] | null;
  commentActions: DocumentComments;
  mayComment: boolean;
  mayChange: (comment: ThreadComment) => boolean;
};

/** Returns the live threads of an open document, with this tab's optimistic events. */
export function useThreads({ documentId, phase, userId, role, live }: Input): ThreadsModel {
  const backend = useBackend();
  const toast = useToast();
  const [first] = useState(phase);
  const store = useMemo(
    () =>
      new ThreadsStore({
        documentId,
        phase: first,
        userId,
        live,
        clock: systemClock,
        random: systemRandom,
        onPageEnd,
        onRefused: (text) => toast({ text }),
        onFault: reportUnexpected,
      }),
    [documentId, first, userId, live, toast],
  );
  useEffect(() => {
    if (!backend) return;
    const { rows, store: log } = backend;
    const read = async () => {
      const [threads, comments] = await Promise.all([
        threadsOf(rows, documentId),
        commentsOf(rows, documentId),
      ]);
      return { threads, comments };
    };
    return store.connect({ store: log, read });
  }, [backend, store, documentId]);

  const fold = useSyncExternalStore(store.subscribe, store.fold, () => null);
  const threads = useMemo(() => fold && commentThreadsOf(fold), [fold]);
  const rights = useMemo(
    () => commentRights({ fold, documentId, role, userId }),
    [fold, documentId, role, userId],
  );
  return { threads, commentActions: store.actions, ...rights };
}

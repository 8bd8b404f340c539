"use client";

import type { BodyOf, EventTypeOf } from "@/events/core/event-types";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type Anchor } from "@/events/analysis/anchors/anchor";
import { systemClock, systemRandom } from "@/events/core/clock";
import { type Ruled } from "@/events/core/envelope";
import { retried } from "@/events/core/retried";
import { openStream, type Act, type LiveStream, type Outcome } from "@/events/log/live-stream";
import { sentence } from "@/events/log/refusal";
import { emptyFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import { commentsOf, threadsOf } from "@/events/read-models/thread-rows";
import { type LiveDocument } from "@/machines/sync/live-document";
import { aggregates, law } from "@/machines/catalog";
import {
  commentThreadsOf,
  type CommentThread,
  type ThreadComment,
} from "@/machines/comment-thread";
import { type Role } from "@/machines/member";
import { useBackend } from "@/components/session/backend-provider";
import { onPageEnd } from "@/components/session/page-end";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { commentsFold } from "./comments-fold";
import { commentRights } from "./comment-rights";

const retryAfter = 3_000;

type Input = {
  documentId: string;
  phase: string;
  userId: string;
  role: Role | null;
  live: LiveDocument;
};

type Read = {
  version: number;
  threads: Awaited<ReturnType<typeof threadsOf>>;
  comments: Awaited<ReturnType<typeof commentsOf>>;
};

/** The actions on threads; each settles with the database's ruling (acknowledgement). */
export type DocumentComments = {
  open: (anchor: Anchor, text: string) => { thread: string; done: Promise<Outcome> };
  /** Replies; that reopens a resolved thread. */
  answer: (thread: CommentThread, text: string) => Promise<Outcome>;
  edit: (comment: string, text: string) => Promise<Outcome>;
  remove: (comment: string) => Promise<Outcome>;
  resolve: (thread: string) => Promise<Outcome>;
  reopen: (thread: string) => Promise<Outcome>;
};

/** The threads of a document, and the reader's rights on them. */
export type ThreadsModel = {
  /** Null until they are read. */
  threads: readonly CommentThread[] | null;
  commentActions: DocumentComments;
  mayComment: boolean;
  mayChange: (comment: ThreadComment) => boolean;
};

const nothing = { fold: emptyFold, health: "synced" as const };
const unheard = () => () => undefined;

/**
 * The live threads of an open document, with the optimistic events of this tab; they follow the
 * rows that the document reads.
 */
export function useThreads({ documentId, phase, userId, role, live }: Input): ThreadsModel {
  const backend = useBackend();
  const toast = useToast();
  const [stream, setStream] = useState<LiveStream | null>(null);
  const [first] = useState(phase);
  useEffect(() => {
    if (!backend) return;
    let opened: LiveStream | null = null;
    let stopReading = () => {};
    // The version of the read models that the fold starts from.
    let from = 0;
    // The rows that arrive during a read; null between reads.
    let waiting: Ruled[] | null = null;
    const read = () => {
      stopReading();
      stopReading = retried({
        clock: systemClock,
        random: systemRandom,
        work: async () => {
          const { version } = live;
          from = version;
          waiting = [];
          const [threads, comments] = await Promise.all([
            threadsOf(backend.rows, documentId),
            commentsOf(backend.rows, documentId),
          ]);
          // Rows on their way are neither in the read models nor received yet.
          if (opened !== null && opened.view().health !== "synced") return null;
          return { version, threads, comments };
        },
        done: (read) => open(read),
        failed: reportUnexpected,
        delays: { first: retryAfter, longest: retryAfter },
      });
    };
    const open = ({ version, threads, comments }: Read) => {
      const subject = { kind: "document", id: documentId };
      opened?.close();
      opened = openStream({
        stream: subject,
        actorId: userId,
        initial: commentsFold({ documentId, phase: first, version, threads, comments }),
        store: backend.store,
        rules: streamRules(aggregates, law, subject),
        clock: systemClock,
        random: systemRandom,
        onDropped: ({ proposal, refusal }) => {
          // The refusal of the comment with it shows the message.
          if (proposal.type !== "thread.opened") toast({ text: sentence(refusal) });
        },
        onFault: reportUnexpected,
        onPageEnd,
      });
      setStream(opened);
      const rows = waiting ?? [];
      waiting = null;
      heard(rows);
    };
    const heard = (rows: readonly Ruled[]) => {
      opened?.ruled(rows);
      // The read models know which words were redacted; the fold here still has them.
      if (waiting !== null) waiting.push(...rows);
      else if (rows.some(({ type }) => type === "document.redacted")) read();
    };
    const replaced = () => {
      // The log was rolled back to an older backup with fewer comments.
      if (live.version < from) read();
    };
    const stops = [live.onRows(heard), live.onReplaced(replaced)];
    read();
    return () => {
      stopReading();
      for (const stop of stops) stop();
      opened?.close();
      setStream(null);
    };
  }, [backend, documentId, first, live, toast, userId]);

  const view = useSyncExternalStore(
    stream?.subscribe ?? unheard,
    () => stream?.view() ?? nothing,
    () => nothing,
  );
  const threads = useMemo(
    () => (stream === null ? null : commentThreadsOf(view.fold)),
    [stream, view.fold],
  );

  const commentActions = useMemo((): DocumentComments => {
    const act = async <T extends EventTypeOf<"comment" | "thread">>(
      type: T,
      body: BodyOf<T>,
      kind: string,
      id: string,
    ): Promise<Outcome> => {
      if (stream === null) throw new Error("The threads are not open");
      return stream.act(type, body, { kind, id });
    };
    const added = (thread: string, text: string): Act => ({
      type: "comment.added",
      body: { thread, text },
      subject: { kind: "comment", id: systemRandom.uuid() },
    });
    return {
      open(anchor, text) {
        if (stream === null) throw new Error("The threads are not open");
        const thread = systemRandom.uuid();
        const opened: Act = {
          type: "thread.opened",
          body: { ...anchor },
          subject: { kind: "thread", id: thread },
        };
        return { thread, done: stream.actTogether([opened, added(thread, text)]) };
      },
      answer: async ({ id, resolved }, text) => {
        if (stream === null) throw new Error("The threads are not open");
        const reopened: Act = {
          type: "thread.reopened",
          body: {},
          subject: { kind: "thread", id },
        };
        return stream.actTogether([...(resolved ? [reopened] : []), added(id, text)]);
      },
      edit: (comment, text) => act("comment.edited", { text }, "comment", comment),
      remove: (comment) => act("comment.deleted", {}, "comment", comment),
      resolve: (thread) => act("thread.resolved", {}, "thread", thread),
      reopen: (thread) => act("thread.reopened", {}, "thread", thread),
    };
  }, [stream]);

  const fold = stream === null ? null : view.fold;
  const rights = useMemo(
    () => commentRights({ fold, documentId, role, userId }),
    [fold, documentId, role, userId],
  );
  return { threads, commentActions, ...rights };
}

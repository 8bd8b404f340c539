"use client";

import { typedEvent, type BodyOf, type EventTypeOf } from "@/events/core/event-types";
import { useCallback, useMemo, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { type Act, type Outcome, proposalOf } from "@/events/log/live-stream";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { type OptimisticEvent, streamRules } from "@/events/log/stream-rules";
import { aggregates, law } from "@/machines/catalog";
import { commentThreadsOf } from "@/machines/comment-thread";
import { type Role } from "@/machines/member";
import { unsureWords } from "@/components/ui/failure-words";
import { useBackend } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";
import { commentsFold } from "@/machines/comments/comments-fold";
import { openPlainThread } from "./plain-thread";
import { commentRights } from "@/machines/comments/comment-rights";
import { type ThreadsModel, type DocumentComments } from "../use-threads";
import { type PlainText } from "./use-plain-text";

type Input = {
  documentId: string;
  phase: string;
  userId: string;
  role: Role | null;
  plain: PlainText;
  /** Called when an event was recorded. */ onCommented: () => void;
};

/** An optimistic event of this page, and the version of its ruling; null before the ruling. */
type OptimisticComment = { optimistic: OptimisticEvent; version: number | null };

/**
 * The threads of a document whose log this reader may not read: the server's last list, with the
 * events of this page on top. A recorded event stays on top until the server's list includes it.
 */
export function useRestrictedThreads({
  documentId,
  phase,
  userId,
  role,
  plain,
  onCommented,
}: Input): ThreadsModel {
  const backend = useBackend();
  const toast = useToast();
  const [optimisticComments, setOptimisticComments] = useState<readonly OptimisticComment[]>([]);
  const { text, threads: threadRows, restrictedComments: shown } = plain;
  const { textVersion } = shown;
  const fold = useMemo(() => {
    const rules = streamRules(aggregates, law, { kind: "document", id: documentId });
    const base = commentsFold({
      documentId,
      phase,
      version: shown.version,
      threads: threadRows,
      comments: shown.comments,
    });
    return optimisticComments.reduce((before, { optimistic, version }) => {
      if (version !== null && version <= shown.version) return before;
      const verdict = rules.judge(before, optimistic);
      return verdict.ok ? rules.optimistic(before, optimistic, verdict.toPhase) : before;
    }, base);
  }, [documentId, phase, shown, threadRows, optimisticComments]);

  const record = useCallback(
    async (
      acts: readonly Act[],
      send: (optimisticEvents: readonly OptimisticEvent[]) => Promise<Outcome>,
    ): Promise<Outcome> => {
      const time = new Date().toISOString();
      const optimisticEvents = acts.map((act): OptimisticEvent => ({
        ...act,
        id: systemRandom.uuid(),
        actorId: userId,
        time,
      }));
      const mine = ({ optimistic }: OptimisticComment) => optimisticEvents.includes(optimistic);
      setOptimisticComments((before) => [
        ...before,
        ...optimisticEvents.map((optimistic) => ({ optimistic, version: null })),
      ]);
      let outcome: Outcome;
      try {
        outcome = await send(optimisticEvents);
        if (!outcome.ok) toast({ text: sentence(outcome.refusal) });
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
        toast({ text: unsureWords(fault, "Nothing was recorded", navigator.onLine) });
        outcome = { ok: false, refusal: { name: "invalid-event", detail: fault.message } };
      }
      const { ok } = outcome;
      const version = outcome.ok ? outcome.version : null;
      setOptimisticComments((before) =>
        ok
          ? before.map((each) => (mine(each) ? { ...each, version } : each))
          : before.filter((each) => !mine(each)),
      );
      if (ok) onCommented();
      return outcome;
    },
    [userId, toast, onCommented],
  );

  const commentActions = useMemo((): DocumentComments => {
    const append = async (optimisticEvents: readonly OptimisticEvent[]): Promise<Outcome> => {
      if (backend === null) throw new StoreFault("not connected yet", 0);
      const answer = await backend.store.append(documentId, null, optimisticEvents.map(proposalOf));
      return answer.ok ? { ok: true, version: answer.rulings.at(-1)?.version ?? 0 } : answer;
    };
    const act = <T extends EventTypeOf<"comment" | "thread">>(
      type: T,
      body: BodyOf<T>,
      kind: string,
      id: string,
    ) => record([{ ...typedEvent(type, body), subject: { kind, id } }], append);
    const added = (thread: string, words: string): Act => ({
      type: "comment.added",
      body: { thread, text: words },
      subject: { kind: "comment", id: systemRandom.uuid() },
    });
    return {
      open(anchor, words) {
        const thread = systemRandom.uuid();
        const opened: Act = {
          type: "thread.opened",
          body: { ...anchor },
          subject: { kind: "thread", id: thread },
        };
        const send = async ([first, second]: readonly OptimisticEvent[]): Promise<Outcome> => {
          if (!first || !second) throw new Error("Opening a thread takes two events");
          return openPlainThread({
            documentId,
            fragment: text.fragment,
            textVersion,
            anchor,
            text: words,
            opened: first,
            added: second,
          });
        };
        return { thread, done: record([opened, added(thread, words)], send) };
      },
      answer: ({ id, resolved }, words) => {
        const reopened: Act = {
          type: "thread.reopened",
          body: {},
          subject: { kind: "thread", id },
        };
        return record([...(resolved ? [reopened] : []), added(id, words)], append);
      },
      edit: (comment, words) => act("comment.edited", { text: words }, "comment", comment),
      remove: (comment) => act("comment.deleted", {}, "comment", comment),
      resolve: (thread) => act("thread.resolved", {}, "thread", thread),
      reopen: (thread) => act("thread.reopened", {}, "thread", thread),
    };
  }, [backend, documentId, record, text, textVersion]);

  const threads = useMemo(() => commentThreadsOf(fold), [fold]);
  const rights = useMemo(
    () => commentRights({ fold, documentId, role, userId }),
    [fold, documentId, role, userId],
  );
  return { threads, commentActions, ...rights };
}

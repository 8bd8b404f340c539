"use client";

import { useEffect, useMemo, useSyncExternalStore } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { proposalOf } from "@/events/log/live-stream";
import { commentThreadsOf } from "@/machines/comment-thread";
import { commentRights } from "@/machines/comments/comment-rights";
import { RestrictedThreadsStore } from "@/machines/comments/restricted-threads-store";
import type { Role } from "@/machines/member";
import { unsureWords } from "@/components/ui/failure-words";
import { useBackend } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";
import { openPlainThread } from "./plain-thread";
import type { ThreadsModel } from "../use-threads";
import type { PlainText } from "./use-plain-text";

type Input = {
  documentId: string;
  phase: string;
  userId: string;
  role: Role | null;
  plain: PlainText;
  /** Called after an event was recorded. */
  onCommented: () => void;
};

/**
 * Returns the threads of a document whose log this reader may not read: the server's last list,
 * with the events of this page on top.
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
  const store = useMemo(
    () =>
      new RestrictedThreadsStore({
        documentId,
        userId,
        clock: systemClock,
        random: systemRandom,
        onRefused: (text) => toast({ text }),
        onUnsure: (fault) =>
          toast({ text: unsureWords(fault, "Nothing was recorded", navigator.onLine) }),
      }),
    [documentId, userId, toast],
  );
  const { text, threads: threadRows, restrictedComments: shown } = plain;
  const { textVersion } = shown;
  useEffect(() => {
    if (backend === null) return;
    return store.connect({
      async append(events) {
        const answer = await backend.store.append(documentId, null, events.map(proposalOf));
        return answer.ok ? { ok: true, version: answer.rulings.at(-1)?.version ?? 0 } : answer;
      },
      open: (opening) =>
        openPlainThread({ documentId, fragment: text.fragment, textVersion, ...opening }),
      onRecorded: onCommented,
    });
  }, [backend, store, documentId, text, textVersion, onCommented]);

  const own = useSyncExternalStore(store.subscribe, store.state, store.state);
  const { version, comments } = shown;
  const fold = useMemo(
    // `own` is a dependency because the fold also changes with the state of the store.
    () => own && store.foldOn({ phase, version, threads: threadRows, comments }),
    [store, own, phase, version, threadRows, comments],
  );
  const threads = useMemo(() => commentThreadsOf(fold), [fold]);
  const rights = useMemo(
    () => commentRights({ fold, documentId, role, userId }),
    [fold, documentId, role, userId],
  );
  return { threads, commentActions: store.actions, ...rights };
}

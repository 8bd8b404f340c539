"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { useToast } from "@/components/ui/toast";
import type { CommentThread } from "@/machines/comment-thread";
import type { useCompose } from "./drafts/use-compose";
import type { CommentsRequest } from "./use-comments";
import type { SelectedThread } from "./use-selected-thread";

const unfinished = "You are writing another comment. Send it or discard it first.";
const unwelcome =
  "You can read this document, but not comment on it. Ask an owner of the workspace if you need to.";

type Input = {
  request: CommentsRequest | null;
  /** Null until the threads and their text are shown; requests wait for both. */
  threads: readonly CommentThread[] | null;
  /** Starts a thread on the selection; null for a reader who may not comment. */
  begin: ReturnType<typeof useCompose>["begin"] | null;
  selected: SelectedThread;
  /** Called when the unsent comment has to be sent or discarded first. */
  onUnfinished: () => void;
};

/** Answers the page's requests for a new thread or for one of the threads. */
export function useRequests({ request, threads, begin, selected, onUnfinished }: Input): void {
  const narrow = useNarrow();
  const toast = useToast();
  const answer = useEffectEvent(({ what, thread: requested }: CommentsRequest) => {
    const isNew = what === "compose";
    const began = isNew && begin !== null ? begin() : null;
    if (isNew && (began === null || began === "no-words"))
      return toast({ text: begin === null ? unwelcome : "Select some text to comment on." });
    if (began === "again") {
      toast({ text: unfinished });
      selected.setFilter("open");
      selected.clear();
      return onUnfinished();
    }
    const thread = began !== null && typeof began === "object" ? began.thread : requested;
    const found = threads?.find(({ id }) => id === thread);
    if (!found) return selected.clear();
    selected.setFilter(found.resolved ? "resolved" : "open");
    // After a click on the words the focus stays in the text; the shortcut moves it to the thread.
    if (isNew || narrow) selected.focus(found.id, isNew);
    else selected.activate(found.id);
  });
  const ready = threads !== null;
  // Each request is answered once, also one from before the threads were shown.
  const answered = useRef(0);
  useEffect(() => {
    if (request === null || !ready || request.nth === answered.current) return;
    answered.current = request.nth;
    answer(request);
  }, [request, ready]);
}

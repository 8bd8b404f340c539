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
  /** The threads, or null until they and their text are shown. Requests wait for both. */
  threads: readonly CommentThread[] | null;
  /** Starts a thread on the selection. Null if the reader may not comment. */
  begin: ReturnType<typeof useCompose>["begin"] | null;
  selected: SelectedThread;
  /** Called if an unsent comment must first be sent or discarded. */
  onUnfinished: () => void;
};

/** Handles the page's requests for a new thread or for an existing thread. */
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
    // A click on the words leaves the focus in the text. The shortcut moves it to the thread.
    if (isNew || narrow) selected.focus(found.id, isNew);
    else selected.activate(found.id);
  });
  const ready = threads !== null;
  // Each request is handled once, including a request from before the threads were shown.
  const answered = useRef(0);
  useEffect(() => {
    if (request === null || !ready || request.nth === answered.current) return;
    answered.current = request.nth;
    answer(request);
  }, [request, ready]);
}

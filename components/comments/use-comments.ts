"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { useNarrow } from "@/components/ui/screen/narrow-screen";

/**
 * A request of the page to comment on the selection or to show a thread. `nth` is a counter that
 * makes a repeated request a new one.
 */
export type CommentsRequest = { what: "compose" | "thread"; thread: string | null; nth: number };

export type Comments = {
  /** Whether the comments are shown, beside the text or, on phones, over the text. */
  shown: boolean;
  request: CommentsRequest | null;
  setShown: (shown: boolean) => void;
  compose: () => void;
  pick: (thread: string) => void;
};

function isComposeKey(event: KeyboardEvent): boolean {
  if (event.isComposing || event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey))
    return false;
  // While Alt is held, the letter of a key depends on the layout, so `code` is compared.
  return event.altKey
    ? !event.shiftKey && event.code === "KeyM"
    : event.shiftKey && event.key.toLowerCase() === "m";
}

/** Another panel that can occupy the margin of the comments. */
type Panel = { open: boolean; close: () => void };

/**
 * Returns whether comments are shown, and the last request. Comments are never shown beside an open
 * panel. Handles ⌘⇧M and Ctrl+Shift+M (or with Alt, as in other editors) on the whole page.
 */
export function useComments(active: boolean, panel: Panel): Comments {
  const narrow = useNarrow();
  const { open: panelOpen, close: closePanel } = panel;
  // Comments beside the text are shown by default, comments over it only on request.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [wasNarrow, setWasNarrow] = useState(narrow);
  if (wasNarrow !== narrow) {
    setWasNarrow(narrow);
    setChosen(null);
  }
  const [request, setRequest] = useState<CommentsRequest | null>(null);
  // Comments and panel share the margin: showing one closes the other.
  const setShown = useCallback(
    (next: boolean) => {
      if (next) closePanel();
      setChosen(next);
    },
    [closePanel],
  );
  const ask = useCallback(
    (what: CommentsRequest["what"], thread: string | null) => {
      setShown(true);
      setRequest((before) => ({ what, thread, nth: (before?.nth ?? 0) + 1 }));
    },
    [setShown],
  );
  const compose = useCallback(() => ask("compose", null), [ask]);
  const pick = useCallback((thread: string) => ask("thread", thread), [ask]);
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isComposeKey(event)) return;
      event.preventDefault();
      compose();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [active, compose]);
  const shown = !panelOpen && (chosen ?? !narrow);
  return useMemo(
    () => ({ shown, request, setShown, compose, pick }),
    [shown, request, setShown, compose, pick],
  );
}

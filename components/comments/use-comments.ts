"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { useNarrow } from "@/components/ui/screen/narrow-screen";

/**
 * A request of the page: a comment on the selection, or a thread; `nth` counts, so that a repeated
 * request counts as new.
 */
export type CommentsRequest = { what: "compose" | "thread"; thread: string | null; nth: number };

export type Comments = {
  /** Whether the comments show beside the text, or on phones over it. */
  shown: boolean;
  request: CommentsRequest | null;
  setShown: (shown: boolean) => void;
  compose: () => void;
  pick: (thread: string) => void;
};

function isComposeKey(event: KeyboardEvent): boolean {
  if (event.isComposing || event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey))
    return false;
  // With Alt held, the key's letter depends on the layout.
  return event.altKey
    ? !event.shiftKey && event.code === "KeyM"
    : event.shiftKey && event.key.toLowerCase() === "m";
}

/** Another panel that can take the margin of the comments. */
type Panel = { open: boolean; close: () => void };

/**
 * Whether comments are shown, never beside an open panel, and the last request. Handles ⌘⇧M and
 * Ctrl+Shift+M (or with Alt, as in other editors) on the whole page.
 */
export function useComments(active: boolean, panel: Panel): Comments {
  const narrow = useNarrow();
  const { open: panelOpen, close: closePanel } = panel;
  // Beside the text they show by default; over it, only on request.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [wasNarrow, setWasNarrow] = useState(narrow);
  if (wasNarrow !== narrow) {
    setWasNarrow(narrow);
    setChosen(null);
  }
  const [request, setRequest] = useState<CommentsRequest | null>(null);
  // Both share the margin: the requested one replaces the other.
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

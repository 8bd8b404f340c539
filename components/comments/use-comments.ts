"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { useNarrow } from "@/components/ui/screen/narrow-screen";

/**
 * What the page was asked for: a comment on the selection, or a thread; `nth` tells the same thing
 * asked twice apart.
 */
export type CommentsRequest = { what: "compose" | "thread"; thread: string | null; nth: number };

export type Comments = {
  /** Whether the comments stand beside the text, or on a phone over it. */
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

/** What else may stand in the margin of the comments. */
type Panel = { open: boolean; close: () => void };

/**
 * Whether comments are shown, never beside an open panel, and what was asked of them; hears ⌘⇧M and
 * Ctrl+Shift+M (or with Alt, as elsewhere) on the whole page.
 */
export function useComments(active: boolean, panel: Panel): Comments {
  const narrow = useNarrow();
  const { open: panelOpen, close: closePanel } = panel;
  // Beside the text they are in nobody's way; over it only who asks sees them.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [wasNarrow, setWasNarrow] = useState(narrow);
  if (wasNarrow !== narrow) {
    setWasNarrow(narrow);
    setChosen(null);
  }
  const [request, setRequest] = useState<CommentsRequest | null>(null);
  // Both stand in the same margin: what is asked for takes the place of what was there.
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

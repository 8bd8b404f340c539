"use client";

import { useEffect } from "react";

/** Calls back on ⌘⌥⇧H or Ctrl+Alt+Shift+H, anywhere on the page; `open` is the same function on every render. */
export function useHistoryKey(open: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // With Alt held, the key's letter depends on the layout; AltGr is somebody typing.
      const held =
        (event.ctrlKey || event.metaKey) &&
        event.altKey &&
        event.shiftKey &&
        !event.getModifierState("AltGraph");
      if (!held || event.code !== "KeyH" || event.isComposing) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [open]);
}

"use client";

import { useEffect } from "react";
import { toggleTheme } from "./theme";

/** Listens for ⌘⇧L (Ctrl+Shift+L) and changes between light and dark. */
export function ThemeShortcut() {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey || !event.shiftKey) return;
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "l") return;
      event.preventDefault();
      toggleTheme();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return null;
}

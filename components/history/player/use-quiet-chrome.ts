"use client";

import { useEffect } from "react";

const playingBeforeFading = 2_000;
const waking = ["pointermove", "pointerdown", "wheel", "keydown"] as const;

/**
 * Fades the controls around the text while the past plays, as while a person types. Any input shows
 * them again.
 */
export function useQuietChrome(playing: boolean): void {
  useEffect(() => {
    if (!playing) return;
    const page = document.documentElement;
    let timer = 0;
    const wake = () => {
      delete page.dataset.typing;
      clearTimeout(timer);
      timer = window.setTimeout(() => (page.dataset.typing = ""), playingBeforeFading);
    };
    wake();
    for (const kind of waking) document.addEventListener(kind, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      delete page.dataset.typing;
      for (const kind of waking) document.removeEventListener(kind, wake);
    };
  }, [playing]);
}

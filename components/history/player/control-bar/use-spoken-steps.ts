"use client";

import { useEffect } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";

const settled = 300;

/** Announces the revision that a button of the bar led to. The slider announces its own moves. */
export function useSpokenSteps(words: string | null, playing: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (playing || words === null || document.activeElement?.closest("[data-speaks]") === null)
      return;
    const timer = setTimeout(() => announce(words), settled);
    return () => clearTimeout(timer);
  }, [words, playing, announce]);
}

"use client";

import { useEffect } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";

const settled = 300;

/** Tells a screen reader where a button of the control bar has led; on the slider itself its own words say so. */
export function useSpokenSteps(words: string | null, playing: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (playing || words === null || document.activeElement?.closest("[data-speaks]") === null)
      return;
    const timer = setTimeout(() => announce(words), settled);
    return () => clearTimeout(timer);
  }, [words, playing, announce]);
}

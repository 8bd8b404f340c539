"use client";

import { useEffect } from "react";
import type { Awareness } from "y-protocols/awareness";

const margin = 120;

/** Keeps the followed person's caret in view until the reader scrolls or writes elsewhere. */
export function useFollowing(whom: string, awareness: Awareness | null, stop: () => void): void {
  useEffect(() => {
    if (awareness === null) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const caret = document.querySelector(`#text .caret[data-user="${CSS.escape(whom)}"]`);
        const place = caret?.getBoundingClientRect();
        if (place === undefined || (place.top > margin && place.bottom < innerHeight - margin))
          return;
        caret?.scrollIntoView({
          block: "center",
          behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
        });
      });
    };
    const key = (event: KeyboardEvent) => event.key === "Escape" && stop();
    look();
    awareness.on("change", look);
    addEventListener("keydown", key);
    for (const own of ["wheel", "touchmove", "input"] as const)
      addEventListener(own, stop, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      awareness.off("change", look);
      removeEventListener("keydown", key);
      for (const own of ["wheel", "touchmove", "input"] as const) removeEventListener(own, stop);
    };
  }, [whom, awareness, stop]);
}

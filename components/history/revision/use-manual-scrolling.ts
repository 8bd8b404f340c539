"use client";

import { useEffect, useEffectEvent, type RefObject } from "react";

const scrollKeys = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

/** Calls back when a person, not the page, scrolls what stands around an element: by wheel, finger, key or scroll bar. */
export function useHandScrolling(
  within: RefObject<HTMLElement | null>,
  watching: boolean,
  onScroll: () => void,
): void {
  const scrolled = useEffectEvent(onScroll);
  useEffect(() => {
    const scroller = within.current?.closest("main");
    if (!watching || !scroller) return;
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    const tell = () => scrolled();
    scroller.addEventListener("wheel", tell, options);
    scroller.addEventListener("touchmove", tell, options);
    scroller.addEventListener("keydown", (event) => scrollKeys.has(event.key) && tell(), options);
    // A press beside the content is one on the scroll bar.
    scroller.addEventListener(
      "pointerdown",
      (event) => event.target === scroller && event.offsetX > scroller.clientWidth && tell(),
      options,
    );
    return () => stop.abort();
  }, [within, watching]);
}

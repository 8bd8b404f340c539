"use client";

import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

const scrollKeys = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

/**
 * Calls back when the person and not the page scrolls the container of an element: by wheel, touch,
 * key or scroll bar.
 */
export function useManualScrolling(
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
    const notify = () => scrolled();
    scroller.addEventListener("wheel", notify, options);
    scroller.addEventListener("touchmove", notify, options);
    scroller.addEventListener("keydown", (event) => scrollKeys.has(event.key) && notify(), options);
    // A press beside the content is a press on the scroll bar.
    scroller.addEventListener(
      "pointerdown",
      (event) => event.target === scroller && event.offsetX > scroller.clientWidth && notify(),
      options,
    );
    return () => stop.abort();
  }, [within, watching]);
}

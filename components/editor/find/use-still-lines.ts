import { type RefObject, useLayoutEffect } from "react";

/** Keeps every line where it was while something comes above the text and when it goes. */
export function useStillLines(strip: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = strip.current;
    const scroller = element?.closest("main");
    if (!element || !scroller) return;
    // Before anything is measured: the browser would move the lines too, but not where they begin.
    scroller.style.overflowAnchor = "none";
    const { offsetHeight } = element;
    scroller.scrollTop += offsetHeight;
    return () => {
      scroller.scrollTop -= offsetHeight;
      // The strip is still there, and gone by the next frame.
      requestAnimationFrame(() => {
        scroller.style.overflowAnchor = "";
      });
    };
  }, [strip]);
}

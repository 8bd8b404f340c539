import { useLayoutEffect } from "react";
import type { RefObject } from "react";

/** Keeps every line in place while a strip above the text appears or disappears. */
export function useStillLines(strip: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = strip.current;
    const scroller = element?.closest("main");
    if (!element || !scroller) return;
    // Before measuring: the browser's scroll anchoring would move the lines as well.
    scroller.style.overflowAnchor = "none";
    const { offsetHeight } = element;
    scroller.scrollTop += offsetHeight;
    return () => {
      scroller.scrollTop -= offsetHeight;
      // The strip is still in the page, and removed by the next frame.
      requestAnimationFrame(() => {
        scroller.style.overflowAnchor = "";
      });
    };
  }, [strip]);
}

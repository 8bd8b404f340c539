import { useLayoutEffect } from "react";
import type { RefObject } from "react";

/** Keeps every line in place while a strip above the text appears or disappears. */
export function useStillLines(strip: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = strip.current;
    const scroller = element?.closest("main");
    if (!element || !scroller) return;
    // Set before measuring, because the browser's scroll anchoring would also move the lines.
    scroller.style.overflowAnchor = "none";
    const { offsetHeight } = element;
    scroller.scrollTop += offsetHeight;
    return () => {
      scroller.scrollTop -= offsetHeight;
      // The strip is still in the DOM. The next frame removes it.
      requestAnimationFrame(() => {
        scroller.style.overflowAnchor = "";
      });
    };
  }, [strip]);
}

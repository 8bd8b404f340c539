import type { Measure, Viewport } from "./block-window";

/** The approximate width of a letter, relative to its height. */
const letterWidth = 0.46;

/** Reads the visible part of a text and its width, and caches both until they may have changed. */
export class PageViewport {
  private readonly root: HTMLElement;
  private readonly onWidth: () => void;
  private width = 0;
  private measure: Measure = { letters: 70, line: 30, gap: 15 };

  constructor(root: HTMLElement, onWidth: () => void) {
    this.root = root;
    this.onWidth = onWidth;
  }

  read(): Viewport & { measure: Measure } {
    const frame = this.frame();
    const box = this.root.getBoundingClientRect();
    if (box.width !== this.width) this.setMeasure(box.width);
    return {
      top: frame.top - box.top,
      height: Math.max(1, frame.bottom - frame.top),
      measure: this.measure,
    };
  }

  /** Scrolls until the point `top` px below the text's beginning is at the top of the frame. */
  goTo(top: number): void {
    const moved = this.root.getBoundingClientRect().top + top - this.frame().top;
    this.scroller().scrollBy({ top: moved, behavior: "instant" });
  }

  /** Scrolls to an element that is out of view. */
  bringIn(element: HTMLElement): void {
    const [box, frame] = [element.getBoundingClientRect(), this.frame()];
    if (box.bottom < frame.top || box.top > frame.bottom)
      element.scrollIntoView({ block: "center", behavior: "instant" });
  }

  /** Calls `listener` at most once per frame during scrolling. Returns the function that stops. */
  watch(listener: () => void): () => void {
    let frame = 0;
    const stop = new AbortController();
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        listener();
      });
    };
    document.addEventListener("scroll", later, {
      passive: true,
      capture: true,
      signal: stop.signal,
    });
    addEventListener("resize", later, { signal: stop.signal });
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }

  private setMeasure(width: number): void {
    this.width = width;
    const style = getComputedStyle(this.root);
    const size = parseFloat(style.fontSize) || 18;
    const line = parseFloat(style.lineHeight) || size * 1.6;
    this.measure = { letters: Math.max(8, width / (size * letterWidth)), line, gap: line / 2 };
    this.onWidth();
  }

  /** Returns the scroll container: on phones the page, elsewhere the element around the text. */
  private scroller(): Element {
    const main = this.root.closest("main");
    return main && getComputedStyle(main).overflowY !== "visible"
      ? main
      : (document.scrollingElement ?? document.documentElement);
  }

  private frame(): { top: number; bottom: number } {
    const scroller = this.scroller();
    return scroller === document.scrollingElement
      ? { top: 0, bottom: innerHeight }
      : scroller.getBoundingClientRect();
  }
}

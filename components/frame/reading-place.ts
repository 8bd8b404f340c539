import { firstWhere } from "@/events/core/binary-search";

/**
 * The reader's place in a text: the block, index and words of the line at the upper edge of the
 * viewport, and the line's distance below that edge in px.
 */
export type ReadingPlace = { block: number; line: number; words: string; offset: number };

/**
 * Parses a stored place. Returns null for anything else. A schema would load its library before the
 * first letter of every document, just for these four fields.
 */
export function placeFrom(stored: unknown): ReadingPlace | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { block, line, words, offset }: { [field: string]: unknown } = { ...stored };
  return isIndex(block) && isIndex(line) && typeof words === "string" && isPixels(offset)
    ? { block, line, words, offset }
    : null;
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value);
const isPixels = (value: unknown): value is number => Number.isFinite(value);

const lines = "p, h2, h3, h4, pre, hr";
const longestLine = 120;

const wordsOf = (line: Element) => (line.textContent ?? "").slice(0, longestLine);

function linesOf(block: Element): Element[] {
  return block.matches(lines) ? [block] : [...block.querySelectorAll(lines)];
}

/** Returns the scroll container of a text, or the page itself. */
function scrollerOf(root: HTMLElement): Element {
  const main = root.closest("main");
  return main && getComputedStyle(main).overflowY !== "visible"
    ? main
    : (document.scrollingElement ?? document.documentElement);
}

function upperEdge(scroller: Element): number {
  return scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
}

/** Returns the index of the first stacked element that ends below an edge, or the last index. */
function firstBelow(elements: readonly Element[], edge: number): number {
  return firstWhere(
    0,
    Math.max(0, elements.length - 1),
    (index) => (elements[index]?.getBoundingClientRect().bottom ?? 0) > edge + 1,
  );
}

/** Returns the reader's place in this text, or null for an empty text. */
export function readingPlace(root: HTMLElement): ReadingPlace | null {
  const edge = upperEdge(scrollerOf(root));
  const blocks = [...root.children];
  const block = firstBelow(blocks, edge);
  const inside = blocks[block] ? linesOf(blocks[block]) : [];
  const line = firstBelow(inside, edge);
  const found = inside[line];
  return found
    ? { block, line, words: wordsOf(found), offset: found.getBoundingClientRect().top - edge }
    : null;
}

/** Finds the line of a place by its words, if they are near the place, otherwise by its index. */
function lineAt(blocks: readonly Element[], { block, line, words }: ReadingPlace): Element | null {
  const expected = blocks[block] && linesOf(blocks[block])[line];
  if (expected && wordsOf(expected) === words) return expected;
  for (let away = 0; words !== "" && away < blocks.length; away += 1) {
    for (const near of away === 0 ? [block] : [block - away, block + away]) {
      const same = blocks[near] && linesOf(blocks[near]).find((one) => wordsOf(one) === words);
      if (same) return same;
    }
  }
  return expected ?? blocks.at(Math.min(block, blocks.length - 1)) ?? null;
}

/**
 * Scrolls until a place is where it was. `blocks` are the rendered blocks of the text. Returns
 * false if the text does not have the place.
 */
export function goToPlace(
  root: HTMLElement,
  place: ReadingPlace,
  blocks: readonly Element[] = [...root.children],
): boolean {
  const line = lineAt(blocks, place);
  if (line === null) return false;
  const scroller = scrollerOf(root);
  const moved = line.getBoundingClientRect().top - upperEdge(scroller) - place.offset;
  if (Math.abs(moved) >= 1) scroller.scrollBy({ top: moved, behavior: "instant" });
  return true;
}

const gestures = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/**
 * Keeps a place at its position while the page around the text still loads. The next action of the
 * reader or the returned function ends this and calls `onReleased`.
 */
export function holdPlace(
  root: HTMLElement,
  place: ReadingPlace,
  onReleased: () => void,
): () => void {
  const stop = new AbortController();
  const again = () => void goToPlace(root, place);
  again();
  const observer = new ResizeObserver(again);
  observer.observe(root.parentElement ?? root);
  // A redraw of the text may reset the scroll position.
  document.addEventListener("scroll", again, { capture: true, passive: true, signal: stop.signal });
  stop.signal.addEventListener("abort", () => {
    observer.disconnect();
    onReleased();
  });
  for (const gesture of gestures)
    addEventListener(gesture, () => stop.abort(), {
      capture: true,
      passive: true,
      signal: stop.signal,
    });
  return () => stop.abort();
}

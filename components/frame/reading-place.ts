import { firstWhere } from "@/events/core/binary-search";

/**
 * Where in a text its reader is: the line that stands at the upper edge of what they see, by its
 * place among the blocks and by its words, and how far below that edge it begins, in pixels.
 */
export type ReadingPlace = { block: number; line: number; words: string; offset: number };

/**
 * What a browser kept as a place; null for anything else. Without a schema: the library would come
 * before the first letter of every document, for these four fields alone.
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

/** What scrolls around a text, or the page itself. */
function scrollerOf(root: HTMLElement): Element {
  const main = root.closest("main");
  return main && getComputedStyle(main).overflowY !== "visible"
    ? main
    : (document.scrollingElement ?? document.documentElement);
}

function upperEdge(scroller: Element): number {
  return scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
}

/** The first of elements that stand below each other which reaches below an edge; the last, if none does. */
function firstBelow(elements: readonly Element[], edge: number): number {
  return firstWhere(
    0,
    Math.max(0, elements.length - 1),
    (index) => (elements[index]?.getBoundingClientRect().bottom ?? 0) > edge + 1,
  );
}

/** Where the reader of this text is; null of an empty one. */
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

/** The line that a place names: by its words, if they stand near it, else by where it was. */
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
 * Scrolls so that a place stands where it stood; false where the text has none of it. `blocks` are
 * those of the text that are in the page.
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
 * Keeps a place where it stood while the page around it is still coming, until its reader does
 * something or the answer is called; `onReleased` hears of either.
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
  // Where the text is drawn anew the browser may lose how far it was scrolled.
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

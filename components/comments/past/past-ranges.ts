import { type Where } from "@/events/analysis/anchors/anchor";
import { type Spot } from "@/events/crdt/updates/letters";
import { textAt, type Script } from "@/events/history/timeline/script";

const highlight = "past-noted";

/** The text node and offset at a spot of a past revision's text; null where its block is not in the page just now. */
function pointOf(
  page: HTMLElement,
  { textblocks }: Script,
  at: number,
  { textblock, offset }: Spot,
): { node: Node; offset: number } | null {
  const block = textblocks[textblock]?.block;
  if (block === undefined) return null;
  let left = offset;
  // Textblocks of one block follow each other.
  for (
    let before = textblock - 1;
    before >= 0 && textblocks[before]?.block === block;
    before -= 1
  ) {
    const text = textblocks[before];
    if (text) left += textAt(text, at).length;
  }
  for (const element of page.querySelectorAll(`[data-block="${block}"]`)) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { length } = node.textContent ?? "";
      if (left <= length) return { node, offset: left };
      left -= length;
    }
  }
  return null;
}

/** Where words of a past revision are in the page; for words that are gone, the place they stood at. */
export function rangeOf(page: HTMLElement, script: Script, at: number, where: Where): Range | null {
  const [from, to] = where.state === "gone" ? [where.at, where.at] : [where.from, where.to];
  const [start, end] = [
    from && pointOf(page, script, at, from),
    to && pointOf(page, script, at, to),
  ];
  if (!start || !end) return null;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return range;
}

/**
 * Where in the window, in pixels from above, a note on a block belongs whose words are not in the page just now: at the
 * block where that is there, else in the room that is kept for it above or below the blocks that are.
 */
export function judgedTop(page: HTMLElement, block: number, blocks: number): number {
  const { top, bottom } = page.getBoundingClientRect();
  const drawn = [...page.querySelectorAll<HTMLElement>("[data-block]")];
  const own = drawn.find((element) => element.dataset.block === `${block}`);
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (own) return own.getBoundingClientRect().top;
  if (!first || !last) return bottom;
  const [begin, end] = [Number(first.dataset.block), Number(last.dataset.block)];
  if (block < begin) return top + (first.getBoundingClientRect().top - top) * (block / begin);
  const below = last.getBoundingClientRect().bottom;
  return below + (bottom - below) * (Math.max(0, block - end) / Math.max(1, blocks - end));
}

/**
 * Washes these words, in the place of those before, without touching the page; a browser that
 * cannot shows the notes alone.
 */
export function markRanges(ranges: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(highlight);
  else CSS.highlights.set(highlight, new Highlight(...ranges));
}

import type { Where } from "@/events/analysis/anchors/anchor";
import type { Spot } from "@/events/crdt/updates/letters";
import { textAt } from "@/events/history/timeline/script";
import type { Script } from "@/events/history/timeline/script";

const highlight = "past-noted";

/** Returns the text node and offset at a spot, or null if the spot's block is not rendered. */
function pointOf(
  page: HTMLElement,
  { textblocks }: Script,
  at: number,
  { textblock, offset }: Spot,
): { node: Node; offset: number } | null {
  const block = textblocks[textblock]?.block;
  if (block === undefined) return null;
  let left = offset;
  // The textblocks of one block are consecutive.
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

/** Returns the DOM range of words of a past revision. The range of deleted words is empty. */
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
 * Returns the viewport top, in px, of a note whose words are not rendered. The note is at its block
 * if the block is rendered, otherwise in the spacer above or below the rendered blocks.
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
 * Replaces the highlighted ranges without changing the DOM. Without support for CSS highlights,
 * nothing is highlighted.
 */
export function markRanges(ranges: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(highlight);
  else CSS.highlights.set(highlight, new Highlight(...ranges));
}

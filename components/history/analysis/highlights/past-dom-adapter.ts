import type { PassageRange } from "@/events/analysis/passage";
import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { TextDomAdapter } from "../model/analysis-model";

function blockAround(node: Node, within: HTMLElement): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  const block = element?.closest<HTMLElement>("[data-block]") ?? null;
  return block && within.contains(block) ? block : null;
}

/** Returns the part of a selection in a block, or null if that part contains no letter. */
function partOf(selection: Range, block: HTMLElement): Range | null {
  if (!selection.intersectsNode(block)) return null;
  const part = selection.cloneRange();
  if (!block.contains(part.startContainer)) part.setStart(block, 0);
  if (!block.contains(part.endContainer)) part.setEnd(block, block.childNodes.length);
  return part.toString() === "" ? null : part;
}

/** Counts the letters in a block before a point. */
function lettersBefore(block: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** Returns the text node and offset of a block's `count`th letter. */
function letterAt(block: HTMLElement, count: number): { node: Text; offset: number } | null {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let left = count;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    if (left < node.length) return { node, offset: left };
    left -= node.length;
  }
  return null;
}

/**
 * The text of a past revision for the analysis. CSS draws deleted text, which is not in the DOM.
 * Therefore the letters of a block equal those of its textblocks at the revision.
 */
export class PastDomAdapter implements TextDomAdapter {
  readonly element: HTMLElement;
  private readonly timeline: Timeline;

  constructor(element: HTMLElement, timeline: Timeline) {
    this.element = element;
    this.timeline = timeline;
  }

  /** Returns the revision that the page shows. */
  private at(): number {
    return Number(this.element.dataset.revision ?? 0);
  }

  selected(): PassageRange | null {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.element)) return null;
    // A selection may begin and end outside letters. Its ends are then in the first and last block
    // with a selected letter.
    const parts = [...this.element.querySelectorAll<HTMLElement>("[data-block]")].flatMap(
      (block) => partOf(range, block) ?? [],
    );
    const [first, last] = [parts[0], parts.at(-1)];
    if (!first || !last) return null;
    const start = this.placeOf(first.startContainer, first.startOffset, 0);
    const end = this.placeOf(last.endContainer, last.endOffset, -1);
    return start && end ? { start, end } : null;
  }

  placeAt(x: number, y: number): Place | null {
    const caret = document.caretPositionFromPoint?.(x, y);
    if (!caret || !this.element.contains(caret.offsetNode) || !(caret.offsetNode instanceof Text))
      return null;
    return (
      this.placeOf(caret.offsetNode, caret.offset, 0) ??
      this.placeOf(caret.offsetNode, caret.offset, -1)
    );
  }

  rangeOf({ start, end }: PassageRange): Range | null {
    const [from, to] = [this.pointOf(start, 1), this.pointOf(end, -1)];
    if (!from || !to) return null;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset + 1);
    return range;
  }

  private textblocksOf(block: number) {
    return scriptOf(this.timeline).textblocks.flatMap((textblock, index) =>
      textblock.block === block ? [{ textblock, index }] : [],
    );
  }

  /** Returns the character at a DOM point of a block, `by` letters further on. */
  private placeOf(node: Node, offset: number, by: 0 | -1): Place | null {
    const block = blockAround(node, this.element);
    if (!block) return null;
    let left = lettersBefore(block, node, offset) + by;
    for (const { textblock, index } of this.textblocksOf(Number(block.dataset.block))) {
      for (let at = 0; at < textblock.text.length; at += 1) {
        if (!standsAt(textblock, at, this.at())) continue;
        if (left === 0) return { textblock: index, offset: at };
        left -= 1;
      }
    }
    return null;
  }

  /** Returns the DOM point of a character, or of the next (1) or previous (-1) shown one. */
  private pointOf(place: Place, by: 1 | -1): { node: Text; offset: number } | null {
    const own = scriptOf(this.timeline).textblocks[place.textblock];
    if (!own) return null;
    let at = place.offset;
    while (at >= 0 && at < own.text.length && !standsAt(own, at, this.at())) at += by;
    const block = this.element.querySelector<HTMLElement>(`[data-block="${own.block}"]`);
    if (!block || at < 0 || at >= own.text.length) return null;
    let count = 0;
    for (const { textblock, index } of this.textblocksOf(own.block)) {
      const end = index === place.textblock ? at : textblock.text.length;
      for (let offset = 0; offset < end; offset += 1)
        if (standsAt(textblock, offset, this.at())) count += 1;
      if (index === place.textblock) break;
    }
    return letterAt(block, count);
  }
}

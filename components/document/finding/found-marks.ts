import { searchedWords } from "@/events/core/text/searched-words";
import type { TextRange } from "@/events/core/text/searched-words";

const name = "searched";
const textblocks = "p, h1, h2, h3, h4, h5, h6, pre";
/** The largest number of hits that are marked. */
const most = 200;

type ShownBlock = { text: string; nodes: Text[] };

/** Reads the text of a rendered block, without the carets and names between its letters. */
function shownBlock(element: Element): ShownBlock {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Text && !node.parentElement?.closest("[contenteditable=false]"))
      nodes.push(node);
  }
  return { text: nodes.map(({ data }) => data).join(""), nodes };
}

function domRange({ nodes }: ShownBlock, { from, to }: TextRange): Range | null {
  const range = document.createRange();
  let at = 0;
  let begun = false;
  for (const node of nodes) {
    const end = at + node.length;
    if (!begun && from < end) {
      range.setStart(node, from - at);
      begun = true;
    }
    if (begun && to <= end) {
      range.setEnd(node, to - at);
      return range;
    }
    at = end;
  }
  return null;
}

/**
 * Marks words in a text and scrolls to the first mark. Marks are in the block that contains the
 * passage or, without such a block, everywhere. Returns the number of marks.
 */
export function markFound(text: Element, words: string, passage: string): number {
  unmarkFound();
  const blocks = [...text.querySelectorAll(textblocks)].map(shownBlock);
  const near = blocks.filter(
    (block) => passage !== "" && block.text.includes(passage) && searchedWords(block.text, words),
  );
  const ranges = (near.length > 0 ? near.slice(0, 1) : blocks).flatMap((block) =>
    (searchedWords(block.text, words) ?? []).flatMap((range) => domRange(block, range) ?? []),
  );
  const marked = ranges.slice(0, most);
  if (typeof Highlight !== "undefined" && marked.length > 0)
    CSS.highlights.set(name, new Highlight(...marked));
  marked[0]?.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return marked.length;
}

/** Removes all marks. */
export function unmarkFound(): void {
  if (typeof Highlight !== "undefined") CSS.highlights.delete(name);
}

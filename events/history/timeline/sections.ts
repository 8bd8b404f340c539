import { lastUpTo } from "@/events/core/binary-search";
import type { Block } from "./full-history-text";
import { scriptOf, textAt } from "./script";
import type { TextblockHistory } from "./script";
import type { Timeline } from "./timeline";

/**
 * Returns the words of the heading above a block at a revision. Null above the first heading, or if
 * the heading is empty.
 */
type SectionOf = (block: number, at: number) => string | null;

const isHeading = ({ node }: Block) => node.kind === "element" && node.name === "heading";
const standing = ({ node }: Block, at: number) => node.born <= at && node.died > at;

/** Reads a document's headings, which are inserted and deleted like all its content. */
function headingsOf(timeline: Timeline) {
  const { blocks } = timeline;
  const headings = blocks.flatMap((block, index) => (isHeading(block) ? [{ block, index }] : []));
  const textblocks = new Map<number, TextblockHistory[]>();
  for (const textblock of scriptOf(timeline).textblocks) {
    const own = textblocks.get(textblock.block);
    if (own) own.push(textblock);
    else textblocks.set(textblock.block, [textblock]);
  }
  const wordsOf = (heading: number, at: number) =>
    (textblocks.get(heading) ?? [])
      .map((textblock) => textAt(textblock, at))
      .join("")
      .trim();
  return { headings, wordsOf };
}

/** Finds the headings above blocks. */
export function sectionsOf(timeline: Timeline): SectionOf {
  const { headings, wordsOf } = headingsOf(timeline);
  const places = headings.map(({ index }) => index);
  const known = new Map<string, string | null>();
  return (block, at) => {
    const key = `${block} ${at}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let place = lastUpTo(places, block);
    for (let each = headings[place]; each && !standing(each.block, at); each = headings[place])
      place -= 1;
    const heading = headings[place];
    const words = heading ? wordsOf(heading.index, at) : "";
    const section = words === "" ? null : words;
    known.set(key, section);
    return section;
  };
}

/**
 * Returns whether a block stands above the first heading at a revision. Never true in a text
 * without headings.
 */
export function aboveHeadings(timeline: Timeline): (block: number, at: number) => boolean {
  const { headings, wordsOf } = headingsOf(timeline);
  const known = new Map<number, number>();
  return (block, at) => {
    const first =
      known.get(at) ??
      headings.find((each) => standing(each.block, at) && wordsOf(each.index, at) !== "")?.index ??
      -1;
    known.set(at, first);
    return block < first;
  };
}

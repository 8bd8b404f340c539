import { lastUpTo } from "@/events/core/binary-search";
import { type Block } from "./full-history-text";
import { type TextblockHistory, scriptOf, textAt } from "./script";
import { type Timeline } from "./timeline";

/** Tells under which heading a block stands at a revision, by the heading's words; null above the first heading. */
type SectionOf = (block: number, at: number) => string | null;

const isHeading = ({ node }: Block) => node.kind === "element" && node.name === "heading";
const standing = ({ node }: Block, at: number) => node.born <= at && node.died > at;

/** Reads the headings of a document, which come and go like everything else in it. */
export function sectionsOf(timeline: Timeline): SectionOf {
  const { blocks } = timeline;
  const headings = blocks.flatMap((block, index) => (isHeading(block) ? [{ block, index }] : []));
  const places = headings.map(({ index }) => index);
  const textblocks = new Map<number, TextblockHistory[]>();
  for (const textblock of scriptOf(timeline).textblocks) {
    const own = textblocks.get(textblock.block);
    if (own) own.push(textblock);
    else textblocks.set(textblock.block, [textblock]);
  }
  const known = new Map<string, string | null>();
  return (block, at) => {
    const key = `${block} ${at}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let place = lastUpTo(places, block);
    for (let each = headings[place]; each && !standing(each.block, at); each = headings[place])
      place -= 1;
    const heading = headings[place];
    const words = heading
      ? (textblocks.get(heading.index) ?? [])
          .map((textblock) => textAt(textblock, at))
          .join("")
          .trim()
      : "";
    const section = words === "" ? null : words;
    known.set(key, section);
    return section;
  };
}

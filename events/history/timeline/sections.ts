import { lastUpTo } from "@/events/core/growing";
import { type Block } from "./full-history-text";
import { type Line, scriptOf, textAt } from "./script";
import { type Timeline } from "./timeline";

/** Tells under which heading a block stands at a moment, by the heading's words; null above the first heading. */
type SectionOf = (block: number, at: number) => string | null;

const isHeading = ({ node }: Block) => node.kind === "part" && node.name === "heading";
const standing = ({ node }: Block, at: number) => node.born <= at && node.died > at;

/** Reads the headings of a document, which come and go like everything else in it. */
export function sectionsOf(timeline: Timeline): SectionOf {
  const { blocks } = timeline;
  const headings = blocks.flatMap((block, index) => (isHeading(block) ? [{ block, index }] : []));
  const places = headings.map(({ index }) => index);
  const lines = new Map<number, Line[]>();
  for (const line of scriptOf(timeline).lines) {
    const own = lines.get(line.block);
    if (own) own.push(line);
    else lines.set(line.block, [line]);
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
      ? (lines.get(heading.index) ?? [])
          .map((line) => textAt(line, at))
          .join("")
          .trim()
      : "";
    const section = words === "" ? null : words;
    known.set(key, section);
    return section;
  };
}

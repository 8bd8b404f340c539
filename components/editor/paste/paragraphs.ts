import { Fragment, type Node, Slice } from "@tiptap/pm/model";
import { endWithin, leaf } from "@/events/content/layout-breaks";

/**
 * The most letters of a paragraph that is pasted. BENCHMARKS.md has what a letter costs in one:
 * with more, both pages slow down.
 */
export const longestParagraph = 100_000;
/** How far before the limit an end of a sentence or a word is looked for; letters. */
const lookBack = 1_000;

/** How many paragraphs came out of how many that were too long, and how long the longest was; letters. */
type Split = { slice: Slice; long: number; made: number; longest: number };

/** Cuts a block of text into blocks of the same kind, behind sentences or words and never within a character. */
function splitBlock(block: Node): Node[] {
  const { size } = block.content;
  const parts: Node[] = [];
  let begin = 0;
  while (size - begin > longestParagraph) {
    const least = begin + longestParagraph - lookBack;
    const end =
      least + endWithin(block.textBetween(least, begin + longestParagraph, undefined, leaf), false);
    parts.push(block.copy(block.content.cut(begin, end)));
    begin = end;
  }
  return [...parts, block.copy(block.content.cut(begin))];
}

/**
 * What is pasted, with every paragraph that is longer than the limit as several. Code stays one
 * block: a line end would change it.
 */
export function splitLongParagraphs(slice: Slice): Split {
  const found = { long: 0, made: 0, longest: 0 };
  const within = (parent: Node | null, content: Fragment): Fragment => {
    let changed = false;
    const children = content.content.flatMap((child) => {
      if (child.isTextblock) {
        if (child.type.spec.code === true || child.content.size <= longestParagraph) return [child];
        const parts = splitBlock(child);
        const fits =
          parent === null ||
          parent.type.validContent(
            Fragment.from(content.content.flatMap((one) => (one === child ? parts : [one]))),
          );
        if (!fits) return [child];
        changed = true;
        found.long += 1;
        found.made += parts.length;
        found.longest = Math.max(found.longest, child.content.size);
        return parts;
      }
      const inner = within(child, child.content);
      if (inner === child.content) return [child];
      changed = true;
      return [child.copy(inner)];
    });
    return changed ? Fragment.from(children) : content;
  };
  const content = within(null, slice.content);
  return {
    slice: content === slice.content ? slice : new Slice(content, slice.openStart, slice.openEnd),
    ...found,
  };
}

/** What somebody is told whose paste was split; null where nothing was. */
export function splitSentence({
  long,
  made,
  longest,
}: Pick<Split, "long" | "made" | "longest">): string | null {
  if (long === 0) return null;
  const letters = longest.toLocaleString("en-US");
  return long === 1
    ? `A paragraph of ${letters} characters was pasted as ${made} paragraphs, to keep writing fast. No text is missing.`
    : `${long} paragraphs of up to ${letters} characters were pasted ` +
        `as ${made} paragraphs, to keep writing fast. No text is missing.`;
}

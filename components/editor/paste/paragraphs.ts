import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { endWithin, leaf } from "@/events/content/layout-breaks";

/**
 * Maximum number of letters of a pasted paragraph. BENCHMARKS.md lists the cost of a letter by
 * length. A longer paragraph slows down every page that shows it.
 */
export const longestParagraph = 100_000;
/** How far before the limit to search for the end of a sentence or word, in letters. */
const lookBack = 1_000;

/**
 * A split paste: the number of too long paragraphs and of the paragraphs made from them, and the
 * length of the longest one in letters.
 */
type Split = { slice: Slice; long: number; made: number; longest: number };

/**
 * Splits a text block into blocks of the same kind, after sentences or words, and never within a
 * character.
 */
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

/** Splits pasted paragraphs above the limit. Code remains one block: a line end would change it. */
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

/** Returns the sentence that reports a split paste, or null if no paragraph was split. */
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

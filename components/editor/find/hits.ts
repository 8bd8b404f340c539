import type { Node } from "@tiptap/pm/model";
import { firstWhere } from "@/events/core/binary-search";
import { leaf } from "@/events/content/layout-breaks";

/** What is looked for: these words, as they stand there. */
export type FindQuery = { words: string; matchCase: boolean; wholeWords: boolean };

/** A place in the text where the words stand, and the position at which its block begins. */
export type Hit = { from: number; to: number; block: number };

/** More is not looked for: nobody goes through so many one by one. */
export const longestQuery = 1_000;

const specialCharacters = /[\\^$.*+?()[\]{}|/]/g;
const before = "(?<![\\p{L}\\p{M}\\p{N}_])";
const after = "(?![\\p{L}\\p{M}\\p{N}_])";

/** What finds the words and nothing else: no sign in them has a meaning of its own. */
function patternOf({ words, matchCase, wholeWords }: FindQuery): RegExp {
  const literal = words
    .slice(0, longestQuery)
    .replace(specialCharacters, "\\$&")
    // Whoever types a space means one that does not break a line as well.
    .replace(/[ \u00a0]/g, "[ \u00a0]");
  const pattern = wholeWords ? `${before}(?:${literal})${after}` : literal;
  return new RegExp(pattern, matchCase ? "gu" : "giu");
}

/**
 * Finds words in a text, block by block. What was found in a block is known until its letters
 * change, so that a text of any length is looked through once.
 */
export class Finder {
  private readonly pattern: RegExp | null;
  private readonly known = new WeakMap<Node, readonly number[]>();

  constructor(query: FindQuery) {
    this.pattern = query.words === "" ? null : patternOf(query);
  }

  /** Every place where the words stand, in the order of the text. */
  hitsIn(doc: Node): Hit[] {
    const hits: Hit[] = [];
    if (this.pattern === null) return hits;
    doc.descendants((node, pos) => {
      if (!node.isTextblock) return true;
      const found = this.foundIn(node);
      for (let index = 0; index < found.length; index += 2)
        hits.push({
          from: pos + 1 + (found[index] ?? 0),
          to: pos + 1 + (found[index + 1] ?? 0),
          block: pos,
        });
      return false;
    });
    return hits;
  }

  /** Where the words begin and end in a block, one after the other. */
  private foundIn(block: Node): readonly number[] {
    const known = this.known.get(block);
    if (known !== undefined || this.pattern === null) return known ?? [];
    const text = block.textBetween(0, block.content.size, undefined, leaf);
    const found: number[] = [];
    for (const { index, 0: words } of text.matchAll(this.pattern))
      found.push(index, index + words.length);
    this.known.set(block, found);
    return found;
  }
}

/** The number of the first hit that stands at a position or behind it; the first of all where none does. */
export function hitFrom(hits: readonly Hit[], position: number): number {
  const found = firstWhere(0, hits.length, (index) => (hits[index]?.from ?? 0) >= position);
  return found < hits.length ? found : 0;
}

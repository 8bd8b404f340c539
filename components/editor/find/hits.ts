import type { Node } from "@tiptap/pm/model";
import { firstWhere } from "@/events/core/binary-search";
import { leaf } from "@/events/content/layout-breaks";

/** A literal search and its options. */
export type FindQuery = { words: string; matchCase: boolean; wholeWords: boolean };

/** A hit, with the position at which its block begins. */
export type Hit = { from: number; to: number; block: number };

/** The longest query, in characters. */
export const longestQuery = 1_000;

const specialCharacters = /[\\^$.*+?()[\]{}|/]/g;
const before = "(?<![\\p{L}\\p{M}\\p{N}_])";
const after = "(?![\\p{L}\\p{M}\\p{N}_])";

/** Returns the pattern of a literal search, with every special character escaped. */
function patternOf({ words, matchCase, wholeWords }: FindQuery): RegExp {
  const literal = words
    .slice(0, longestQuery)
    .replace(specialCharacters, "\\$&")
    // A space also matches a no-break space.
    .replace(/[ \u00a0]/g, "[ \u00a0]");
  const pattern = wholeWords ? `${before}(?:${literal})${after}` : literal;
  return new RegExp(pattern, matchCase ? "gu" : "giu");
}

/**
 * Finds words in a text, block by block. The hits of a block are cached until its content changes,
 * so that a text of any length is searched once.
 */
export class Finder {
  private readonly pattern: RegExp | null;
  private readonly known = new WeakMap<Node, readonly number[]>();

  constructor(query: FindQuery) {
    this.pattern = query.words === "" ? null : patternOf(query);
  }

  /** Returns all hits in document order. */
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

  /** Returns the start and end offsets of the hits in a block, alternating. */
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

/** Returns the index of the first hit at or after a position, or 0 if there is none. */
export function hitFrom(hits: readonly Hit[], position: number): number {
  const found = firstWhere(0, hits.length, (index) => (hits[index]?.from ?? 0) >= position);
  return found < hits.length ? found : 0;
}

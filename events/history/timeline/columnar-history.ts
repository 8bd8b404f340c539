import type { LifeRuns } from "./life-runs";
import type { Attribute } from "./full-history-text";

/**
 * The tokens between characters: the beginning or end of an element or textblock, or a mark
 * boundary.
 */
export const structuralTokenKind = { element: 0, textblock: 1, end: 2, markBoundary: 3 } as const;

/** An element's name and every attribute value it ever had. */
export type ElementFacts = { name: string; attributes: Attribute[] };
export type MarkBoundaryFacts = { key: string; value: unknown };

/**
 * A document's whole history in page order, as columns that a worker can transfer without copying.
 */
export type ColumnarHistory = {
  text: Uint16Array;
  runs: LifeRuns;
  structuralTokens: {
    kind: Uint8Array;
    /** The number of characters before each token. */
    at: Uint32Array;
    born: Uint32Array;
    died: Uint32Array;
    /** An index into `elements` or `markBoundaries`. */
    fact: Uint32Array;
  };
  elements: ElementFacts[];
  markBoundaries: MarkBoundaryFacts[];
  blocks: {
    keys: string[];
    /**
     * The first structural token, character and run of each block, with one more entry for the end.
     */
    sign: Uint32Array;
    start: Uint32Array;
    run: Uint32Array;
  };
  /**
   * The block in which each revision inserted content. Without insertions it is the block in which
   * the revision deleted content, or else `nowhere`.
   */
  places: Uint16Array | Uint32Array;
  /** The number of characters of each block at sampled revisions (LetterSamples). */
  samples: Uint32Array;
};

/** Returns the value for "no block" in the width of `places`. */
export function nowhere(places: Uint16Array | Uint32Array): number {
  return places instanceof Uint16Array ? 0xffff : 0xffff_ffff;
}

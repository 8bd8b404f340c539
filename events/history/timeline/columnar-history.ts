import { type LifeRuns } from "./life-runs";
import { type Attribute } from "./full-history-text";

/**
 * What stands between characters: the beginning or end of an element or of a textblock, or a mark
 * that turns on or off.
 */
export const structuralTokenKind = { element: 0, textblock: 1, end: 2, markBoundary: 3 } as const;

/** An element's name and every attribute it ever had. */
export type ElementFacts = { name: string; attributes: Attribute[] };
export type MarkBoundaryFacts = { key: string; value: unknown };

/** A document of all times in the order of the page, as columns: what a worker hands over without copying. */
export type ColumnarHistory = {
  text: Uint16Array;
  runs: LifeRuns;
  structuralTokens: {
    kind: Uint8Array;
    /** How many characters come before it. */
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
    /** Of each block, its first sign, character and run, with one more entry for the end. */
    sign: Uint32Array;
    start: Uint32Array;
    run: Uint32Array;
  };
  /**
   * Of each revision, the block in which it brought something or, if it brought nothing, took
   * something; else `nowhere`.
   */
  places: Uint16Array | Uint32Array;
  /** How many characters of each block stood at a few revisions (LetterSamples). */
  samples: Uint32Array;
};

/** No block, in either width of `places`. */
export function nowhere(places: Uint16Array | Uint32Array): number {
  return places instanceof Uint16Array ? 0xffff : 0xffff_ffff;
}

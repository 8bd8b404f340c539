import { LetterSamples } from "@/events/history/timeline/letter-samples";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { FullHistoryText } from "@/events/history/timeline/stored-history-text";

/** The rendered blocks, and the heights of the other blocks above and below them, in px. */
export type Windowed = { blocks: Block[]; above: number; below: number };

/** The visible part of the text, in px from its beginning. */
export type Viewport = { top: number; height: number };

/** A text up to this size is rendered whole, so that the browser's own search finds every word. */
const wholeBlocks = 60;
const wholeLetters = 24_000;

/** The minimum height of a block, in px, whatever was measured. */
const least = 8;

/** The number of letters per line, the height of a line, and the gap between blocks, in px. */
export type Measure = { letters: number; line: number; gap: number };

/**
 * Selects the blocks of a long text to render: the visible blocks and those within a screen around
 * them. Rendered blocks have measured heights. The heights of other blocks are estimated from their
 * number of letters.
 */
export class BlockWindow {
  private readonly historyText: FullHistoryText;
  private readonly letters: LetterSamples;
  private readonly measured = new Map<number, { height: number; letters: number }>();
  private standing: Block[] = [];
  private heights: number[] = [];
  private readonly isLeftOut: (died: number) => boolean;

  /** Deletions are not shown struck if `isLeftOut` matches the revision that deleted them. */
  constructor(historyText: FullHistoryText, isLeftOut: (died: number) => boolean = () => false) {
    this.historyText = historyText;
    this.isLeftOut = isLeftOut;
    this.letters = new LetterSamples(historyText.columns);
  }

  /**
   * Selects the blocks that exist at a revision, or existed after `struckSince`. Returns whether
   * the page renders all of them.
   */
  take(at: number, struckSince: number): boolean {
    this.standing = this.historyText
      .standingBetween(struckSince, at)
      .filter(({ died }) => died > at || !this.isLeftOut(died));
    this.heights = [];
    return (
      this.standing.length <= wholeBlocks &&
      this.standing.reduce((sum, { index }) => sum + this.letters.near(index, at), 0) <=
        wholeLetters
    );
  }

  /** Returns all selected blocks. */
  all(): Windowed {
    return { blocks: this.standing, above: 0, below: 0 };
  }

  /** Computes the heights of the selected blocks. */
  lay(at: number, measure: Measure): void {
    this.heights = this.standing.map(({ index }) => {
      const letters = this.letters.near(index, at);
      const known = this.measured.get(index);
      const judged = (count: number) =>
        Math.max(1, Math.ceil(count / measure.letters)) * measure.line;
      return known
        ? Math.max(least, known.height + judged(letters) - judged(known.letters))
        : judged(letters) + measure.gap;
    });
  }

  /** Returns a block's top and height, or null if the block is not laid out. */
  place(block: Block): { top: number; height: number } | null {
    let top = 0;
    for (const [index, each] of this.standing.entries()) {
      const height = this.heights[index] ?? 0;
      if (each === block) return { top, height };
      top += height;
    }
    return null;
  }

  /** Returns the blocks around a viewport. */
  around({ top, height }: Viewport): Windowed {
    const { standing, heights } = this;
    let above = 0;
    let first = 0;
    for (; first < standing.length - 1 && above + (heights[first] ?? 0) < top - height; first += 1)
      above += heights[first] ?? 0;
    let end = first;
    let reached = above;
    for (; end < standing.length && reached < top + height * 2; end += 1)
      reached += heights[end] ?? 0;
    let below = 0;
    for (let index = end; index < standing.length; index += 1) below += heights[index] ?? 0;
    return { blocks: standing.slice(first, end), above, below };
  }

  /** Returns the top of the nth block that is laid out, or null if there are fewer. */
  topOf(place: number): number | null {
    const block = this.standing[place];
    return block ? (this.place(block)?.top ?? null) : null;
  }

  /** Returns the place of a block, by its number, among those that exist, or 0 if it does not. */
  indexOf(number: number): number {
    return Math.max(
      0,
      this.standing.findIndex(({ index }) => index === number),
    );
  }

  /** Stores the measured height of a block, in px. */
  learn(block: Block, at: number, height: number): void {
    this.measured.set(block.index, { height, letters: this.letters.near(block.index, at) });
  }

  /** Deletes all measured heights, because the width of the page has changed. */
  forget(): void {
    this.measured.clear();
  }
}

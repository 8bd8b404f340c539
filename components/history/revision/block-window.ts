import { LetterSamples } from "@/events/history/timeline/letter-samples";
import { type Block } from "@/events/history/timeline/full-history-text";
import { type FullHistoryText } from "@/events/history/timeline/stored-history-text";

/** The blocks that stand in the page, and how much room the others take above and below them, in pixels. */
export type Windowed = { blocks: Block[]; above: number; below: number };

/** How much of the page is to be seen, in pixels from the beginning of the text. */
export type Viewport = { top: number; height: number };

/** A text of at most this much stands in the page as a whole, so that the browser finds every word of it. */
const wholeBlocks = 60;
const wholeLetters = 24_000;

/** Shorter than this no block is, whatever was measured. */
const least = 8;

/** How many letters go on a line, how high that is, and what lies between two blocks. */
export type Measure = { letters: number; line: number; gap: number };

/**
 * Which blocks of a long text are worth having in the page: those to be seen and a screenful around them. The height of
 * a block that has been seen is known, and that of another is judged by how much is written in it.
 */
export class BlockWindow {
  private readonly historyText: FullHistoryText;
  private readonly letters: LetterSamples;
  private readonly measured = new Map<number, { height: number; letters: number }>();
  private standing: Block[] = [];
  private heights: number[] = [];
  private readonly isLeftOut: (died: number) => boolean;

  /** What went at a revision that is left out is not shown struck. */
  constructor(historyText: FullHistoryText, isLeftOut: (died: number) => boolean = () => false) {
    this.historyText = historyText;
    this.isLeftOut = isLeftOut;
    this.letters = new LetterSamples(historyText.columns);
  }

  /**
   * Takes the blocks that stand at a revision, or stood there until the one before; answers whether
   * the page holds all of them.
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

  /** Every block taken. */
  all(): Windowed {
    return { blocks: this.standing, above: 0, below: 0 };
  }

  /** Lays out the blocks taken. */
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

  /** Where a block begins and how high it is; null where it does not stand. */
  place(block: Block): { top: number; height: number } | null {
    let top = 0;
    for (const [index, each] of this.standing.entries()) {
      const height = this.heights[index] ?? 0;
      if (each === block) return { top, height };
      top += height;
    }
    return null;
  }

  /** The blocks around a viewport. */
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

  /** Where the block begins that stands in this place among the blocks laid out; null where there are not so many. */
  topOf(place: number): number | null {
    const block = this.standing[place];
    return block ? (this.place(block)?.top ?? null) : null;
  }

  /** The place of a block among those that stand, by its number; 0 where it does not. */
  indexOf(number: number): number {
    return Math.max(
      0,
      this.standing.findIndex(({ index }) => index === number),
    );
  }

  /** Keeps how high a block was when it was seen. */
  learn(block: Block, at: number, height: number): void {
    this.measured.set(block.index, { height, letters: this.letters.near(block.index, at) });
  }

  /** Forgets every height: the page has another width now. */
  forget(): void {
    this.measured.clear();
  }
}

import type { Row, Run } from "@/events/analysis/comparison/comparison-rows";
import { quoteOf } from "./quote";

/** A place where one person changed a text, in whole words. */
export type WordChange = {
  author: number;
  kind: "words" | "moved" | "formatted" | "retyped" | "arranged";
  /** The deleted and the current words, without the words that both begin or end with. */
  out: string;
  in: string;
  /** The current words of the heading above, empty if there is none. */
  section: string;
  /** The new type of a retyped block. */
  to: string | null;
};

type Input = {
  rows: readonly Row[];
  authorOf: (revision: number) => number;
  /** Returns the words of a heading in which nothing changed. */
  headingOf: (row: Row) => string;
};

function isHeading({ frame, still }: Row): boolean {
  if (!still) return frame.block.name === "heading";
  return still.node.kind === "element" && still.node.name === "heading";
}

/** Returns the current words of a row. */
const standing = ({ runs }: Row) =>
  runs.map(({ kind, text, isBreak }) => (kind === "out" || isBreak ? "" : text)).join("");

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** Removes the words that both texts begin with, and the words that both end with. */
function differing(out: string, now: string): { out: string; in: string } {
  const [gone, came] = [wordsOf(out), wordsOf(now)];
  while (gone.length > 0 && gone[0] === came[0]) {
    gone.shift();
    came.shift();
  }
  while (gone.length > 0 && gone.at(-1) === came.at(-1)) {
    gone.pop();
    came.pop();
  }
  return { out: gone.join(" "), in: came.join(" ") };
}

/** Collects the runs of a row word by word. A word with one changed letter is a changed word. */
class WordReader {
  readonly changes: Omit<WordChange, "section">[] = [];
  private out = "";
  private now = "";
  private changed = false;
  private readonly weights = new Map<number, number>();
  private readonly authorOf: Input["authorOf"];

  constructor(authorOf: Input["authorOf"]) {
    this.authorOf = authorOf;
  }

  take(run: Run): void {
    if (run.moved !== null || run.isBreak || run.remarked) {
      this.end();
      this.takeWhole(run);
      return;
    }
    if (run.kind !== "same") {
      if (run.kind === "out") this.out += run.text;
      else this.now += run.text;
      this.changed = true;
      const author = this.authorOf(run.revision);
      this.weights.set(author, (this.weights.get(author) ?? 0) + run.text.length);
      return;
    }
    for (const text of run.text.split(/(\s+)/)) {
      if (text === "") continue;
      if (/^\s/.test(text)) this.end();
      else {
        this.out += text;
        this.now += text;
      }
    }
  }

  /** Ends the current word. */
  end(): void {
    if (this.changed) {
      const words = differing(this.out, this.now);
      const [author] = [...this.weights].sort(([a, one], [b, two]) => two - one || a - b)[0] ?? [0];
      const last = this.changes.at(-1);
      // Changes of adjacent words are one change.
      if (last?.kind === "words" && last.author === author && this.beside) {
        last.out = `${last.out} ${words.out}`.trim();
        last.in = `${last.in} ${words.in}`.trim();
      } else if (words.out !== "" || words.in !== "")
        this.changes.push({ author, kind: "words", ...words, to: null });
      this.beside = true;
    } else if (this.now !== "") this.beside = false;
    this.out = "";
    this.now = "";
    this.changed = false;
    this.weights.clear();
  }

  private beside = false;

  private takeWhole(run: Run): void {
    this.beside = false;
    const { text, moved, isBreak, remarked, revision } = run;
    // A moved passage is reported only at its new place.
    if (moved !== null && run.kind === "out") return;
    const worn = remarked?.worn.map((mark) => mark.revision) ?? [];
    const author = this.authorOf(Math.max(revision, ...worn));
    const kind = moved !== null ? "moved" : isBreak ? "arranged" : "formatted";
    this.changes.push({ author, kind, out: "", in: isBreak ? "" : text, to: null });
  }
}

/** Returns the changes between the two sides of a comparison, in whole words and page order. */
export function changedWords({ rows, authorOf, headingOf }: Input): WordChange[] {
  const found: WordChange[] = [];
  let section = "";
  for (const row of rows) {
    if (isHeading(row) && row.kind !== "out")
      section = (row.still ? headingOf(row) : standing(row)).trim() || section;
    if (row.still) continue;
    const { block } = row.frame;
    if (row.was && row.was.block.name !== block.name)
      found.push({
        author: authorOf(block.revision),
        kind: "retyped",
        out: "",
        in: quoteOf(standing(row)),
        section,
        to: block.name,
      });
    if (row.kind !== "same" && row.runs.length === 0)
      found.push({
        author: authorOf(block.revision),
        kind: "arranged",
        out: "",
        in: "",
        section,
        to: null,
      });
    const reader = new WordReader(authorOf);
    for (const run of row.runs) reader.take(run);
    reader.end();
    for (const change of reader.changes) found.push({ ...change, section });
  }
  return found;
}

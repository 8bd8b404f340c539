import { finished } from "./paused-work";
import type {
  Attribute,
  Block,
  HistoryElement,
  TextRun,
  Textblock,
  MarkBoundary,
} from "@/events/history/timeline/full-history-text";

type Lived = { born: number; died: number };

/**
 * A node's role in a comparison: a block of words, a block without words, a node within words, or a
 * container of blocks.
 */
export type NodeRole = "words" | "leaf" | "inline" | "holder";

/**
 * A node as it stood at a revision. `revision` is the one that made it differ from the other side,
 * and `unit` is its place in the full-history text.
 */
export type Holder = {
  unit: number;
  name: string;
  attrs: Record<string, unknown>;
  revision: number;
};
/** A block of words and its containers, outermost first. */
export type Frame = { path: Holder[]; block: Holder };
export type WornMark = { type: string; attrs: unknown; revision: number };

/**
 * Characters with the same marks and revision. `unit` is the place of the first character in the
 * full-history text.
 */
export type Stretch = { text: string; marks: WornMark[]; revision: number; unit: number };

/**
 * A word, a space, a punctuation character or a node within the words. If `frame` is set, the token
 * is the end of a block. If `still` is set, it is a whole unread block without differences.
 */
export type Token = {
  text: string;
  unit: number;
  stretches: Stretch[];
  frame: Frame | null;
  still: Block | null;
};

/**
 * One side of a comparison, and the revision of the other side. If `folded`, blocks without
 * differences stay unread.
 */
export type Side = {
  at: number;
  other: number;
  authorOf: (revision: number) => number;
  roleOf: (name: string) => NodeRole;
  folded: boolean;
};

/**
 * The number of units reserved for each block, more than any block holds. Counting within each
 * block makes it possible to leave blocks unread.
 */
export const unitsPerBlock = 2 ** 26;

/** The number of units (letters ever written, nodes and unread blocks) between two yields. */
const unitsAtOnce = 2_000;
const overlap = /--[a-zA-Z0-9+/=]{8}$/;
/**
 * Matches the tokens that texts are compared by: words, spaces and punctuation. Scripts without
 * spaces are compared character by character.
 */
export const tokenPattern = new RegExp(
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u,
    /[\p{L}\p{N}\p{M}_]+(?:[’'][\p{L}\p{N}\p{M}_]+)*/u,
    /\s+/u,
    /[^]/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

function stands({ born, died }: Lived, at: number): boolean {
  return born <= at && died > at;
}

/** Returns the revision that created content or, if it stands on this side only, deleted it. */
function revisionOf({ born, died }: Lived, { at, other }: Side): number {
  return died <= other && at < other ? died : born;
}

function attributesAt(
  attributes: Attribute[],
  at: number,
): { values: Record<string, unknown>; latest: number } {
  const values: Record<string, unknown> = {};
  let latest = -1;
  // Each key's values are listed latest first, as Yjs resolves them.
  for (const attribute of attributes) {
    if (!stands(attribute, at) || attribute.key in values) continue;
    values[attribute.key] = attribute.value;
    latest = Math.max(latest, attribute.born);
  }
  return { values, latest };
}

function withBoundary(marks: WornMark[], { key, value, born }: MarkBoundary): WornMark[] {
  const rest = marks.filter(({ type }) => type !== key);
  return value === null ? rest : [...rest, { type: key, attrs: value, revision: born }];
}

const named = (marks: WornMark[]) =>
  marks.length === 0
    ? marks
    : marks.map((mark) => ({ ...mark, type: mark.type.replace(overlap, "") }));

class Reader {
  readonly tokens: Token[] = [];
  private unit = 0;
  private readonly side: Side;
  private run: { text: string; stretches: Stretch[] } = { text: "", stretches: [] };

  constructor(side: Side) {
    this.side = side;
  }

  /** Reads a block of the page if it stands. Returns its number of units. */
  begin(block: Block): number {
    if (!stands(block, this.side.at)) return 1;
    const first = block.index * unitsPerBlock;
    this.unit = first;
    if (this.side.folded && block.quietBetween(this.side.at, this.side.other)) {
      const self = { unit: this.unit, name: "", attrs: {}, revision: block.born };
      this.tokens.push({
        text: `¶${block.index}`,
        unit: this.unit,
        stretches: [],
        frame: { path: [], block: self },
        still: block,
      });
      return 1;
    }
    this.read(block.node, [], true);
    return this.unit - first;
  }

  private read(node: HistoryElement | Textblock, path: Holder[], standing: boolean): void {
    const here = standing && stands(node, this.side.at);
    if (node.kind === "textblock") return this.readTextblock(node, here);
    const unit = this.unit++;
    const role = this.side.roleOf(node.name);
    const { values, latest } = attributesAt(node.attributes, this.side.at);
    const self: Holder = {
      unit,
      name: node.name,
      attrs: values,
      revision: Math.max(revisionOf(node, this.side), latest),
    };
    if (role === "inline") {
      if (here) {
        this.flush();
        const stretch = { text: "\n", marks: [], revision: self.revision, unit };
        this.tokens.push({ text: "\n", unit, stretches: [stretch], frame: null, still: null });
      }
      return this.pass(node);
    }
    const within = role === "holder" ? [...path, self] : path;
    for (const child of node.children) this.read(child, within, here);
    if (!here || role === "holder") return;
    this.flush();
    this.tokens.push({
      text: role === "leaf" ? `¶${node.name}` : "¶",
      unit,
      stretches: [],
      frame: { path, block: self },
      still: null,
    });
  }

  /** Counts the content of a node that is a token itself. */
  private pass(node: HistoryElement): void {
    for (const child of node.children) this.read(child, [], false);
  }

  private readTextblock({ pieces }: Textblock, here: boolean): void {
    let marks: WornMark[] = [];
    for (const piece of pieces) {
      if (piece.kind === "markBoundary") {
        this.unit += 1;
        if (here && stands(piece, this.side.at)) marks = withBoundary(marks, piece);
        continue;
      }
      if (!here) {
        this.unit += piece.text.length;
        continue;
      }
      this.readTextRun(piece, marks);
    }
  }

  /** Reads a text run's standing characters, in pieces that one author wrote or deleted. */
  private readTextRun({ text, born, died }: TextRun, marks: WornMark[]): void {
    const { at, authorOf } = this.side;
    const lived = (index: number) => ({ born: born[index] ?? 0, died: died[index] ?? 0 });
    for (let index = 0; index < text.length;) {
      if (!stands(lived(index), at)) {
        index += 1;
        continue;
      }
      const revision = revisionOf(lived(index), this.side);
      const author = authorOf(revision);
      let end = index + 1;
      for (; end < text.length && stands(lived(end), at); end += 1) {
        const next = revisionOf(lived(end), this.side);
        if (next !== revision && authorOf(next) !== author) break;
      }
      this.addLetters(text.slice(index, end), marks, revision, this.unit + index);
      index = end;
    }
    this.unit += text.length;
  }

  private addLetters(letters: string, marks: WornMark[], revision: number, unit: number): void {
    this.run.text += letters;
    const last = this.run.stretches.at(-1);
    const joins =
      last &&
      last.marks === marks &&
      last.unit + last.text.length === unit &&
      this.side.authorOf(last.revision) === this.side.authorOf(revision);
    if (joins) last.text += letters;
    else this.run.stretches.push({ text: letters, marks, revision, unit });
  }

  /** Splits the collected words into tokens. */
  private flush(): void {
    const { text, stretches } = this.run;
    this.run = { text: "", stretches: [] };
    let index = 0;
    let offset = 0;
    for (const [word] of text.matchAll(tokenPattern)) {
      const taken: Stretch[] = [];
      for (let left = word.length; left > 0;) {
        const stretch = stretches[index];
        if (!stretch) break;
        const part = stretch.text.slice(offset, offset + left);
        taken.push({
          ...stretch,
          text: part,
          marks: named(stretch.marks),
          unit: stretch.unit + offset,
        });
        left -= part.length;
        offset += part.length;
        if (offset < stretch.text.length) continue;
        index += 1;
        offset = 0;
      }
      this.tokens.push({
        text: word,
        unit: taken[0]?.unit ?? 0,
        stretches: taken,
        frame: null,
        still: null,
      });
    }
  }
}

/**
 * Reads the text of one revision as words, spaces and block ends, in page order. Units number all
 * text ever written in page order, so a character has the same unit on both sides. Yields every few
 * thousand units.
 */
export function* readTokens(blocks: readonly Block[], side: Side): Generator<void, Token[]> {
  const reader = new Reader(side);
  let read = 0;
  for (const block of blocks) {
    read += reader.begin(block);
    if (read < unitsAtOnce) continue;
    read = 0;
    yield;
  }
  return reader.tokens;
}

/** Reads the tokens of one revision without pauses. */
export function tokensAt(blocks: readonly Block[], side: Omit<Side, "folded">): Token[] {
  return finished(readTokens(blocks, { ...side, folded: false }));
}

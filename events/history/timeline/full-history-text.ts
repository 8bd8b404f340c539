/** Something that was once in the text, with the revisions between which it stood there. */
export type Lived = { born: number; died: number };

/**
 * A stretch of characters in the order of the page; each has its own revisions. `client` and
 * `clock` are the Yjs id of the first, and the others' clocks follow.
 */
export type TextRun = {
  kind: "textRun";
  text: string;
  born: Uint32Array;
  died: Uint32Array;
  client: number;
  clock: number;
};
/** A mark that begins (`value` set) or ends (`value` null) here. */
export type MarkBoundary = Lived & { kind: "markBoundary"; key: string; value: unknown };
export type Textblock = Lived & { kind: "textblock"; pieces: (TextRun | MarkBoundary)[] };
export type Attribute = Lived & { key: string; value: unknown };
export type HistoryElement = Lived & {
  kind: "element";
  name: string;
  attributes: Attribute[];
  children: (HistoryElement | Textblock)[];
};

/** A document as ProseMirror's JSON has it. */
export type DocumentJson = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentJson[];
  text?: string;
  marks?: { type: string; attrs: unknown }[];
};

/** A top-level block of everything ever written; what is in it is made when it is asked for. */
export type Block = {
  /** Its place among all blocks of all times. */
  readonly index: number;
  readonly key: string;
  readonly born: number;
  readonly died: number;
  readonly node: HistoryElement | Textblock;
  /** The revisions at which anything in it changed, ascending. */
  readonly changes: Uint32Array;
  /**
   * It as it stood at a revision, as ProseMirror JSON, without what went and without regard to who
   * wrote what; nothing where it did not stand.
   */
  plainAt(at: number): DocumentJson[];
  /** How many characters of it stand at a revision, without making any of it. */
  lettersAt(at: number): number;
  /** Whether nothing in it came or went after the revision `from`, up to and with `to`, in either order. */
  quietBetween(from: number, to: number): boolean;
};

/** Something that once stood in the text, with the revisions of its insertion and deletion. */
export type Lived = { born: number; died: number };

/**
 * Consecutive characters in page order, each with its own revisions. `client` and `clock` are the
 * Yjs id of the first; the others' clocks follow.
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

/** A document as ProseMirror JSON. */
export type DocumentJson = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentJson[];
  text?: string;
  marks?: { type: string; attrs: unknown }[];
};

/** A top-level block of the full history; its content is built on demand. */
export type Block = {
  /** Its index among all blocks that ever existed. */
  readonly index: number;
  readonly key: string;
  readonly born: number;
  readonly died: number;
  readonly node: HistoryElement | Textblock;
  /** The revisions at which anything in it changed, ascending. */
  readonly changes: Uint32Array;
  /**
   * The block at a revision as ProseMirror JSON, without deleted text or authors; empty if it did
   * not stand.
   */
  plainAt(at: number): DocumentJson[];
  /** How many of its characters stand at a revision, without building any of it. */
  lettersAt(at: number): number;
  /**
   * Whether nothing in it was inserted or deleted between two revisions, the later one included, in
   * either order.
   */
  quietBetween(from: number, to: number): boolean;
};

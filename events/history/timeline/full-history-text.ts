/** Content that once stood in the text, with the revisions of its insertion and deletion. */
export type Lived = { born: number; died: number };

/**
 * Consecutive characters in page order, each with its own revisions. `client` and `clock` are the
 * Yjs id of the first character, and the clocks of the others follow.
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

/** A top-level block of the full history, whose content is built on demand. */
export type Block = {
  /** The block's index among all blocks that ever existed. */
  readonly index: number;
  readonly key: string;
  readonly born: number;
  readonly died: number;
  readonly node: HistoryElement | Textblock;
  /** The revisions at which content of the block changed, ascending. */
  readonly changes: Uint32Array;
  /**
   * Returns the block at a revision as ProseMirror JSON, without deleted text or authors. Empty if
   * the block did not stand.
   */
  plainAt(at: number): DocumentJson[];
  /** Returns how many characters of the block stand at a revision, without building its content. */
  lettersAt(at: number): number;
  /**
   * Whether no content of the block was inserted or deleted between two revisions, the later one
   * included. The revisions may be in either order.
   */
  quietBetween(from: number, to: number): boolean;
};

/**
 * Searchable text that stood in one place of a document from one version to before another: a
 * stretch of a textblock, the title, or a comment. Classes: `n` still stands. In `g` and `h`, words
 * were deleted, and in `p` and `q` none were. `h` and `q` stood at a named version.
 */
export type SearchEntry = {
  /** The place in the document, shared by all texts that ever stood there. */
  place: string;
  nth: number;
  kind: "title" | "text" | "comment";
  class: "n" | "g" | "h" | "p" | "q";
  text: string;
  fromVersion: number;
  fromTime: number;
  /** When the author last typed in the text, in this document or in its source. */
  writtenAt: number;
  toVersion: number | null;
  toTime: number | null;
  /** The last revision at which the text stood, as version and edit. Null if it still stands. */
  stoodVersion: number | null;
  stoodEdit: number | null;
  /**
   * The person who typed most of the text, and all people with at least three letters in it. Text
   * that unknown people typed elsewhere has no authors. Its `authorId` is the person who copied it.
   */
  authorId: string;
  authors: string[];
  endedBy: string | null;
  threadId: string | null;
  /** The named versions at which the text read exactly like this, as version numbers. */
  namedAt: number[];
};

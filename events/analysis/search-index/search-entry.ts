/**
 * Searchable text that stood in one place of a document from one version to before another: a
 * stretch of a textblock, the title, or a comment. Classes: `n` stands now; of `g` and `h` words
 * were deleted, of `p` and `q` none; `h` and `q` stood at a named version.
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
  /** When its author last typed in it, in whichever document. */
  writtenAt: number;
  toVersion: number | null;
  toTime: number | null;
  /** The last revision at which it stood, as version and edit; null if it stands. */
  stoodVersion: number | null;
  stoodEdit: number | null;
  /**
   * The person who typed most of it, and everyone with at least a word in it. Text that unknown
   * people typed elsewhere has no authors, and `authorId` is the person who brought it.
   */
  authorId: string;
  authors: string[];
  endedBy: string | null;
  threadId: string | null;
  /** The named versions, by the version that each names, at which it read exactly so. */
  namedAt: number[];
};

/**
 * What stood somewhere in a document, from one version to before another, as it can be searched for: a stretch of a
 * textblock, the title or a comment. Classes: `n` stands now; of `g` and `h` words were deleted, of
 * `p` and `q` none; `h` and `q` stood at a named version.
 */
export type SearchEntry = {
  /** Where in the document: the same for all that ever stood there. */
  place: string;
  nth: number;
  kind: "title" | "text" | "comment";
  class: "n" | "g" | "h" | "p" | "q";
  text: string;
  fromVersion: number;
  fromTime: number;
  /** When its author typed last in it, wherever that was. */
  writtenAt: number;
  toVersion: number | null;
  toTime: number | null;
  /** The last revision at which it stood, as an edit of a version; null where it stands. */
  stoodVersion: number | null;
  stoodEdit: number | null;
  /**
   * Who typed most of it, and everybody of whom a word is in it. Of what was typed elsewhere by people who are not
   * known here there are none, and `authorId` is who brought it.
   */
  authorId: string;
  authors: string[];
  endedBy: string | null;
  threadId: string | null;
  /** The named versions, by what they name, at which it read exactly so. */
  namedAt: number[];
};

import type { LinkedDocument } from "@/events/content/document-link";
import type { DocumentRow } from "@/events/read-models/document-rows";

/** The deflated Yjs state that an editor starts from, and the later edits, all in base64. */
export type PackedState = { state: string; since: string[] };

/** A document as the server rendered it: its row, its text as HTML, and the state for an editor. */
export type DocumentSnapshot = {
  row: DocumentRow;
  html: string;
  /** Whether `html` contains the whole text. */
  whole: boolean;
  /**
   * Streamed after the text, which can be read without this state. Null if the state is so large
   * that it is fetched separately.
   */
  state: Promise<PackedState | null>;
  version: number;
  owners: [client: number, userId: string][];
  /** The highest document schema in the log. */
  schema: number;
  /** The user ids of the document's authors. */
  writers: string[];
  /** The last version before the document became too large to open, or null if it can be opened. */
  stoppedAt: number | null;
  /**
   * The linked documents outside the workspace, by id. Null for a document that the reader may not
   * see.
   */
  linked: Readonly<Record<string, LinkedDocument | null>>;
  /** The used share of the document's capacity, from 0 to 1. */
  fullness: number;
};

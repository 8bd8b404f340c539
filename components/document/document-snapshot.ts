import type { LinkedDocument } from "@/events/content/document-link";
import type { DocumentRow } from "@/events/read-models/document-rows";

/** The Yjs state that an editor starts from, deflated, and the later edits; base64. */
export type PackedState = { state: string; since: string[] };

/**
 * A document as the server rendered it: its row, its text as HTML, and the state of a live editor.
 */
export type DocumentSnapshot = {
  row: DocumentRow;
  html: string;
  /** Whether `html` contains the whole text. */
  whole: boolean;
  /**
   * Streamed after the text, which can be read without it; null when it is so large that it is
   * fetched separately.
   */
  state: Promise<PackedState | null>;
  version: number;
  owners: [client: number, userId: string][];
  /** The highest document schema in the log. */
  schema: number;
  /** The user ids of its authors. */
  writers: string[];
  /** The last version before it became too large to open; null for all but very few. */
  stoppedAt: number | null;
  /**
   * The linked documents outside the workspace, as far as the reader may see them; null for those
   * they may not.
   */
  linked: Readonly<Record<string, LinkedDocument | null>>;
  /** The used share of the document's capacity, from 0 to 1. */
  fullness: number;
};

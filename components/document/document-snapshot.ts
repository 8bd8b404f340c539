import type { LinkedDocument } from "@/events/content/document-link";
import type { DocumentRow } from "@/events/read-models/document-rows";

/** The Yjs state that an editor begins from, deflated, and the edits since then; both as base64. */
export type PackedState = { state: string; since: string[] };

/** A document as the server rendered it: its row, its text as HTML, and the state a live editor begins from. */
export type DocumentSnapshot = {
  row: DocumentRow;
  html: string;
  /** Whether `html` is all of the text. */
  whole: boolean;
  /** Comes behind the text, which can be read without it; null where it is so large that it lies apart. */
  state: Promise<PackedState | null>;
  version: number;
  owners: [client: number, userId: string][];
  /** The highest document schema in the log. */
  schema: number;
  /** Everybody who has written in it. */
  writers: string[];
  /** The version behind which it is too large to be opened; null for all but very few. */
  stoppedAt: number | null;
  /** What its reader may see of linked documents that are not the workspace's; null for nothing. */
  linked: Readonly<Record<string, LinkedDocument | null>>;
  /** How much of what it may hold it holds, from 0 to 1. */
  fullness: number;
};

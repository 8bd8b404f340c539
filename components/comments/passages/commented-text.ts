import type { XmlFragment } from "yjs";
import type { TextLineage } from "../lineage/text-lineage";

/** A text with comments. Its fragment is a getter, because the text may be replaced. */
export type CommentedText = {
  readonly fragment: XmlFragment;
  /** Whether its letters keep their ids across visits. */
  readonly lasting: boolean;
  /** The lineage of moved or deleted words; absent when the reader may not see the history. */
  readonly lineage?: TextLineage | undefined;
};

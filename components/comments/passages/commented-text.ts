import type { XmlFragment } from "yjs";
import type { TextLineage } from "../lineage/text-lineage";

/** A text with comments, as it is shown now; asked anew each time, for it may be replaced. */
export type CommentedText = {
  readonly fragment: XmlFragment;
  /** Whether its letters keep their ids from one visit to the next. */
  readonly lasting: boolean;
  /** What became of words that are not where they were; absent where the reader has no history. */
  readonly lineage?: TextLineage | undefined;
};

import type { XmlFragment } from "yjs";
import type { TextLineage } from "../lineage/text-lineage";

/** A text with comments. `fragment` may be a getter, because the shared text can be replaced. */
export type CommentedText = {
  readonly fragment: XmlFragment;
  /** Whether the letters keep their ids across visits. */
  readonly lasting: boolean;
  /** The lineage of moved or deleted words. Absent if the reader may not see the history. */
  readonly lineage?: TextLineage | undefined;
};

import type { XmlFragment } from "yjs";

/** A text with comments, as it is shown now; asked anew each time, for it may be replaced. */
export type CommentedText = {
  readonly fragment: XmlFragment;
  /** Whether its letters keep their ids from one visit to the next. */
  readonly lasting: boolean;
};

/**
 * The maximum lengths, in characters, of texts that people write. Event bodies and form fields
 * share them.
 */
export const longestPersonName = 80;
export const longestTitle = 300;
export const longestWorkspaceName = 120;
export const longestVersionName = 120;
export const longestComment = 10_000;
export const longestReason = 300;
/**
 * The maximum length of the quoted passage that a thread stores: long enough to find the passage
 * again and to display it.
 */
export const longestQuote = 1_000;
/** The maximum length of a selective revert's quote: the words that it brought back or removed. */
export const longestRevertQuote = 300;

/**
 * The most characters of texts that people write. Event bodies and form fields share these limits.
 */
export const longestPersonName = 80;
export const longestTitle = 300;
export const longestWorkspaceName = 120;
export const longestVersionName = 120;
export const longestComment = 10_000;
export const longestReason = 300;
/**
 * The most characters of the quoted passage that a thread keeps: enough to find it again, and to
 * show it.
 */
export const longestQuote = 1_000;
/** The same for the words that a selective revert brought back or removed. */
export const longestRevertQuote = 300;

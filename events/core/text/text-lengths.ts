/**
 * As many characters as what people write has at most: the bodies of events are held to it, and the
 * fields in which it is written.
 */
export const longestPersonName = 80;
export const longestTitle = 300;
export const longestWorkspaceName = 120;
export const longestVersionName = 120;
export const longestComment = 10_000;
export const longestReason = 300;
/**
 * As many characters of the words under discussion as a thread keeps: enough to find them again,
 * and to say what they were.
 */
export const longestQuote = 1_000;
/** As many of the words that a selective revert brought back or took away. */
export const longestRevertQuote = 300;

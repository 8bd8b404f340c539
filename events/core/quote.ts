/**
 * As many characters of the words under discussion as a thread keeps: enough to find them again,
 * and to say what they were.
 */
export const longestQuote = 1_000;

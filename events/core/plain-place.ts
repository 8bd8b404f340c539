/** A text without white space, so that different spacings of the same words compare equal. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/**
 * A range of a text in non-space characters: how many come before its first, and before the end of
 * its last.
 */
export type PlainPlace = { from: number; to: number };

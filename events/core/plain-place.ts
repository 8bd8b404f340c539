/** Removes all white space, so that different spacings of the same words compare equal. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/**
 * A range of a text, counted in non-space characters: the number before its first character, and
 * the number before the end of its last character.
 */
export type PlainPlace = { from: number; to: number };

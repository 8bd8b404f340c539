/** A text without its spaces, as two ways to write the same words have it. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/**
 * Where words stand in a text, told by the text alone: how many letters that are no space stand
 * before their first, and before what follows their last.
 */
export type PlainPlace = { from: number; to: number };

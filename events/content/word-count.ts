const wordPattern = /[\p{L}\p{N}]/u;

/**
 * The number of words in a text: pieces between white space with a letter or a digit, so “£2,400”
 * is one.
 */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordPattern.test(word)).length;
}

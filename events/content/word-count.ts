const wordPattern = /[\p{L}\p{N}]/u;

/**
 * Counts the words in a text: pieces between white space that contain a letter or a digit, so
 * “£2,400” is one word.
 */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordPattern.test(word)).length;
}

const wordPattern = /[\p{L}\p{N}]/u;

/** How many words a text has: what stands between spaces and has a letter or a digit, so that “£2,400” is one. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => wordPattern.test(word)).length;
}

import type { Found } from "./find-session";

const shown = (count: number) => count.toLocaleString("en-US");

/** Returns the number of hits and the number of the current hit, as words. */
export function foundWords(words: string, { count, at }: Found): string {
  if (words === "") return "";
  return count === 0 ? "No results" : `${shown(at)} of ${shown(count)}`;
}

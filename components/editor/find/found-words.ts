import type { Found } from "./find-session";

const shown = (count: number) => count.toLocaleString("en-US");

/** Says how many places were found, and which of them is shown. */
export function foundWords(words: string, { count, at }: Found): string {
  if (words === "") return "";
  return count === 0 ? "No results" : `${shown(at)} of ${shown(count)}`;
}

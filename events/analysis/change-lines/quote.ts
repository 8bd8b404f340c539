import { countWords } from "@/events/content/word-count";

/** The most words that a line quotes from a text. */
const mostQuoted = 4;
const longestQuote = 60;
const longestSection = 48;

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** Cuts a text to at most so many letters, between words if possible. */
function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const kept = letters.slice(0, most).join("");
  return `${kept.replace(/\s+\S*$/, "")}…`;
}

/** A text that may be quoted whole, of at most four words; null if it has more. */
export function wholeQuote(text: string): string | null {
  const words = plain(text);
  return words === "" || countWords(words) > mostQuoted || [...words].length > longestQuote
    ? null
    : words;
}

/** The beginning of a text, at most four words. */
export function quoteOf(text: string): string {
  const words = plain(text).split(" ");
  const most = words.slice(0, mostQuoted).join(" ");
  const shown = cut(most, longestQuote);
  return words.length > mostQuoted && !shown.endsWith("…") ? `${shown}…` : shown;
}

/** A heading's words, shortened for a sentence; null if it has none. */
export function sectionOf(heading: string): string | null {
  const words = cut(plain(heading), longestSection);
  return words === "" ? null : words;
}

import { countWords } from "@/events/content/word-count";

/** The most words that a line quotes from a text. */
const mostQuoted = 4;
const longestQuote = 60;
const longestSection = 48;

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** Cuts a text to at most `most` letters, between words if possible. */
function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const kept = letters.slice(0, most).join("");
  return `${kept.replace(/\s+\S*$/, "")}…`;
}

/** Returns a text that may be quoted whole, or null if it is empty or too long. */
export function wholeQuote(text: string): string | null {
  const words = plain(text);
  return words === "" || countWords(words) > mostQuoted || [...words].length > longestQuote
    ? null
    : words;
}

/** Returns the beginning of a text, at most four words. */
export function quoteOf(text: string): string {
  const words = plain(text).split(" ");
  const most = words.slice(0, mostQuoted).join(" ");
  const shown = cut(most, longestQuote);
  return words.length > mostQuoted && !shown.endsWith("…") ? `${shown}…` : shown;
}

/** Returns a heading's words, shortened for a sentence. Null if the heading has none. */
export function sectionOf(heading: string): string | null {
  const words = cut(plain(heading), longestSection);
  return words === "" ? null : words;
}

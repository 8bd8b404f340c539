import { countWords } from "@/events/content/word-count";

/** No line quotes more words of a text than these. */
const mostQuoted = 4;
const longestQuote = 60;
const longestSection = 48;

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** A text cut to so many letters, between words where that can be. */
function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const kept = letters.slice(0, most).join("");
  return `${kept.replace(/\s+\S*$/, "")}…`;
}

/** A text that may be quoted whole: no more than four words; null where it has more. */
export function wholeQuote(text: string): string | null {
  const words = plain(text);
  return words === "" || countWords(words) > mostQuoted || [...words].length > longestQuote
    ? null
    : words;
}

/** The beginning of a text, of four words at most. */
export function quoteOf(text: string): string {
  const words = plain(text).split(" ");
  const most = words.slice(0, mostQuoted).join(" ");
  const shown = cut(most, longestQuote);
  return words.length > mostQuoted && !shown.endsWith("…") ? `${shown}…` : shown;
}

/** The words of a heading, as short as a sentence can bear; null where it has none. */
export function sectionOf(heading: string): string | null {
  const words = cut(plain(heading), longestSection);
  return words === "" ? null : words;
}

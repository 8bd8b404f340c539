import { largeSheet } from "../tables/large-sheet";
import { excessIn } from "./html-weight";
import { wordsOfHtml } from "./html-words";

/** The most characters of HTML or of plain text that are pasted at once. */
const mostLetters = 2 * 1024 * 1024;
/** Longer HTML is not searched for its words where no plain text comes with it. */
const mostWithoutWords = 4 * mostLetters;
/** A text of more lines slows down every key in it. */
export const mostLines = 10_000;

/** What becomes of a paste that is more than a text takes, and the sentence that says so. */
export type BoundedPaste = { sentence: string } & ({ text: string } | { file: File });

const shown = (number: number) => number.toLocaleString("en-US");

/** How many lines a text has, as they are pasted: without blank ones. */
function linesIn(text: string): number {
  let lines = 1;
  const ends = /(?:\r\n?|\n)+/g;
  while (ends.test(text)) lines += 1;
  return lines;
}

function asFile(text: string): BoundedPaste | null {
  const lines = linesIn(text);
  if (lines <= mostLines) return null;
  return {
    file: new File([text], "Pasted text.txt", { type: "text/plain" }),
    sentence:
      `This text has ${shown(lines)} lines. Up to ${shown(mostLines)} lines are pasted into the text, ` +
      "so all of it was added as a file. Paste fewer lines to have them in the text.",
  };
}

/**
 * What becomes of a paste whose structure or lines are more than a text takes: its words as plain
 * text, or all of it as a file. Null for every other paste, and for one that is refused because even
 * its words are too many. The HTML is not parsed, because parsing is what takes long.
 */
export function boundedPaste(html: string, plain: string): BoundedPaste | null {
  const sheet = largeSheet(html, plain);
  if (sheet !== null) return sheet;
  if (plain.length > mostLetters) return null;
  const isLong = html.length > mostLetters;
  const excess = isLong ? "more than 2 MB of formatting" : excessIn(html);
  if (excess === null) return html.trim() === "" ? asFile(plain) : null;
  if (plain.trim() === "" && html.length > mostWithoutWords) return null;
  const text = plain.trim() === "" ? wordsOfHtml(html) : plain;
  if (text === "" || text.length > mostLetters) return null;
  return (
    asFile(text) ?? {
      text,
      sentence: `This has ${excess}, so it was pasted as plain text. No words are missing.`,
    }
  );
}

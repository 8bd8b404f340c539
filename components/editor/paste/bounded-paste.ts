import { largeSheet } from "../tables/large-sheet";
import { excessIn } from "./html-weight";
import { wordsOfHtml } from "./html-words";

/** Maximum number of characters of HTML or plain text in one paste. */
const mostLetters = 2 * 1024 * 1024;
/** HTML above this length is refused unless the clipboard also has plain text. */
const mostWithoutWords = 4 * mostLetters;
/** Maximum number of lines. With more lines, every key in the text becomes slow. */
export const mostLines = 10_000;

/** The replacement of a paste above the limits, and the sentence that reports the replacement. */
export type BoundedPaste = { sentence: string } & ({ text: string } | { file: File });

const shown = (number: number) => number.toLocaleString("en-US");

/** Returns the number of non-blank lines of a text. */
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
 * Returns the replacement of a paste whose structure or number of lines is above the limits: its
 * words as plain text, or all of it as a file. Returns null for any other paste, and for one with
 * too many words, which is refused. The HTML is not parsed, because parsing is the slow part.
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

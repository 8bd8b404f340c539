import { type DocumentTarget, pathOfTarget } from "./document-address";
import { pathOfFile } from "./file-attributes";
import { closedLink, type LinkName, unnamed } from "./document-link";

/**
 * How what people wrote stands in Markdown. A bundle names the way in which its text was written, so
 * another way is another object of this type, and the earlier ones stay for earlier bundles.
 */
export type MarkdownWriting = {
  /** Words that are not code, with a backslash before what would be read as a mark. */
  words: (text: string) => string;
  /** Words of a code span. */
  code: (text: string) => string;
  /** Words of a block of code. */
  codeBlock: (text: string) => string;
  /** A link to a document; null for one that names none. */
  documentLink: (target: DocumentTarget | null) => string;
  /** Where the bytes of a file are, which a picture or a link to a file names. */
  file: (file: string) => string;
  /** The address of a link, between parentheses. */
  address: (href: string) => string;
  /** The runs of a block of text, put together. */
  joined: (runs: readonly string[]) => string;
  /** A paragraph, whose lines could begin as another block does. */
  paragraph: (markdown: string) => string;
  /** What stands behind the signs of a heading, on one line. */
  heading: (markdown: string) => string;
  /** A title as people wrote it, behind the sign of a heading. */
  title: (title: string) => string;
};

const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;
const oneLine = (text: string) => text.replace(controls, " ");

/** An ampersand that begins a character reference, or would with the run that follows. */
const reference = /&(?=#?\w*;|#?\w*$)/g;
const words = (text: string) =>
  oneLine(text)
    .replace(/[\\`*_[\]<>~]/g, "\\$&")
    .replace(reference, "\\&");

/** Signs that make a line a heading, an item of a list, a rule, or the rule of a table. */
const blockSigns = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+\s*\\?$|[-|:][-|:\s]*\\?$)/;
const numberSign = /^(\d{1,9})([.)])(?=\s|$)/;

/** A line that begins no block of its own, not one of code by four spaces either. */
const plainLine = (line: string) =>
  line.trimStart().replace(blockSigns, "\\$&").replace(numberSign, "$1\\$2");

/** One line of which no # counts as a sign, at its beginning or at its end. */
function heading(markdown: string): string {
  const line = markdown
    .replace(/\\\n/g, " ")
    .trim()
    .replace(/^#{1,6}(?=\s|$)/, "\\$&");
  if (!line.endsWith("#")) return line;
  let from = line.length - 1;
  while (line[from - 1] === "#") from -= 1;
  return line[from - 1] === "\\" ? line : `${line.slice(0, from)}\\${line.slice(from)}`;
}

/** An exclamation mark before a link would make a picture of it. */
function joined(runs: readonly string[]): string {
  const written = runs.filter((run) => run !== "");
  return written
    .map((run, index) =>
      run.endsWith("!") && written[index + 1]?.startsWith("[") === true
        ? `${run.slice(0, -1)}\\!`
        : run,
    )
    .join("");
}

/** Links to documents as somebody may read them who knows these names, at addresses of this site. */
export function linkWriting(
  nameOf: (document: string) => LinkName,
  origin: string,
): MarkdownWriting["documentLink"] {
  return (target) => {
    const { words: name, state } = target === null ? closedLink : nameOf(target.document);
    return target === null || state === "closed"
      ? words(name)
      : `[${words(name)}](${origin}${pathOfTarget(target)})`;
  };
}

export const currentWriting: MarkdownWriting = {
  // Of a file nobody knows who will read it.
  documentLink: linkWriting(() => unnamed, ""),
  file: (file) => pathOfFile(file),
  words,
  code: oneLine,
  // A return alone ends a line, and would leave the quotation or the list that the code stands in.
  codeBlock: (text) => text.replace(/\r\n?/g, "\n"),
  // "https://a/)[x](javascript:…" is the address of one link, not of two.
  address: (href) => href.replace(/[()`]/g, "\\$&").replace(reference, "\\&"),
  joined,
  paragraph: (markdown) => markdown.split("\n").map(plainLine).join("\n"),
  heading,
  title: (title) => heading(words(title.replace(/\s+/g, " "))),
};

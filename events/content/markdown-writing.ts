import { pathOfTarget } from "./document-address";
import type { DocumentTarget } from "./document-address";
import { pathOfFile } from "./file-attributes";
import { closedLink, unnamed } from "./document-link";
import type { LinkName } from "./document-link";

/**
 * A way to write a text as Markdown. A bundle names the version that wrote its text. Each change is
 * therefore a new object of this type, and the earlier objects stay for earlier bundles.
 */
export type MarkdownWriting = {
  /** Words outside code, with a backslash before each character that would be markup. */
  words: (text: string) => string;
  /** The words of a code span. */
  code: (text: string) => string;
  /** The content of a code block. */
  codeBlock: (text: string) => string;
  /** A link to a document. The target is null if the link has none. */
  documentLink: (target: DocumentTarget | null) => string;
  /** The address of a file's bytes, used in images and links to files. */
  file: (file: string) => string;
  /** A link's address, as written between parentheses. */
  address: (href: string) => string;
  /** Joins the runs of a text block. */
  joined: (runs: readonly string[]) => string;
  /** A paragraph, escaped where a line could begin another block. */
  paragraph: (markdown: string) => string;
  /** A heading's text on one line. */
  heading: (markdown: string) => string;
  /** A document's title as the text of a heading. */
  title: (title: string) => string;
};

const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;
const oneLine = (text: string) => text.replace(controls, " ");

/** An ampersand that begins a character reference, alone or together with the next run. */
const reference = /&(?=#?\w*;|#?\w*$)/g;
const words = (text: string) =>
  oneLine(text)
    .replace(/[\\`*_[\]<>~]/g, "\\$&")
    .replace(reference, "\\&");

/**
 * Characters that turn a line into a heading, a list item, a thematic break, or a table's delimiter
 * row.
 */
const blockSigns = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+\s*\\?$|[-|:][-|:\s]*\\?$)/;
const numberSign = /^(\d{1,9})([.)])(?=\s|$)/;

/** Escapes a line so that it begins no block, including code indented by four spaces. */
const plainLine = (line: string) =>
  line.trimStart().replace(blockSigns, "\\$&").replace(numberSign, "$1\\$2");

/** Returns one line in which no `#` at the beginning or end is markup. */
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

/** Joins runs. Escapes an exclamation mark before a link, which would make the link an image. */
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

/** Returns a writer of document links, with the names that a reader knows and full URLs. */
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
  // The readers of a file are unknown, so the file contains no titles of linked documents.
  documentLink: linkWriting(() => unnamed, ""),
  file: (file) => pathOfFile(file),
  words,
  code: oneLine,
  // A lone carriage return ends a line, and would end the quotation or list around the code.
  codeBlock: (text) => text.replace(/\r\n?/g, "\n"),
  // Escaped, so that "https://a/)[x](javascript:…" stays the address of one link.
  address: (href) => href.replace(/[()`]/g, "\\$&").replace(reference, "\\&"),
  joined,
  paragraph: (markdown) => markdown.split("\n").map(plainLine).join("\n"),
  heading,
  title: (title) => heading(words(title.replace(/\s+/g, " "))),
};

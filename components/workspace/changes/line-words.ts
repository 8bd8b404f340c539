import { numberWords } from "@/events/core/text/number-words";
import { isolated } from "@/events/core/text/isolated";
import type { ChangeLine, LinePart } from "@/events/read-models/change-lines";
import { dayOf, timeOf } from "@/components/ui/time/day-words";
import { eventPhrase } from "./event-phrases";

/** A part of a sentence: words of the interface, or (`isQuote`) words of the text. */
type Piece = { text: string; isQuote: boolean };

type Context = {
  clock: { now: number; zone: string };
  /** Returns the possessive of a comment's author: “your”, “their own”, “Ben’s”. */
  whose: (userId: string) => string;
};

const kinds: Readonly<Record<string, string>> = {
  heading: "a heading",
  paragraph: "plain text",
  blockquote: "a quotation",
  codeBlock: "code",
  listItem: "a list",
  taskItem: "a checklist",
};

const words = (text: string): Piece => ({ text, isQuote: false });
const quoted = (text: string): Piece => ({ text: `“${isolated(text)}”`, isQuote: true });
const counted = (count: number) => `${numberWords(count)} ${count === 1 ? "word" : "words"}`;
const under = (preposition: string, section: string | null): Piece[] =>
  section === null ? [] : [words(` ${preposition} ${isolated(section)}`)];
/** Returns quoted words, or their number if there is no quote. */
const some = (quote: string | null, count: number): Piece =>
  quote === null ? words(counted(count)) : quoted(quote);

function piecesOf(part: LinePart, { clock, whose }: Context): Piece[] {
  switch (part.kind) {
    case "began":
      return [words(`created it and wrote ${counted(part.words)}`)];
    case "added":
      return [words("added "), some(part.quote, part.words), ...under("under", part.section)];
    case "removed":
      return [words("deleted "), some(part.quote, part.words), ...under("under", part.section)];
    case "replaced":
      return [
        words("replaced "),
        quoted(part.out),
        words(" with "),
        quoted(part.in),
        ...under("in", part.section),
      ];
    case "rewrote":
      return [words(`rewrote ${counted(part.words)}`), ...under("under", part.section)];
    case "moved":
      return [words("moved "), some(part.quote, part.words), ...under("to", part.section)];
    case "formatted":
      return [words("formatted "), some(part.quote, part.words), ...under("under", part.section)];
    case "retyped": {
      const kind = kinds[part.to];
      const quote = part.quote ? quoted(part.quote) : words("a block");
      return [words(kind ? "made " : "changed the form of "), quote, words(kind ? ` ${kind}` : "")];
    }
    case "arranged":
      return [words("changed the layout"), ...under("under", part.section)];
    case "nothing":
      return [words("wrote, and took it back")];
    case "restored":
      return [words(`restored the version of ${dayOf(part.at, clock)}, ${timeOf(part.at, clock)}`)];
    case "commented":
      return [words("commented on "), quoted(part.quote)];
    case "replied":
      return [words(`replied to ${whose(part.to)} comment on `), quoted(part.quote)];
    case "renamed":
      return [words("renamed it")];
    case "named":
      return [words("named a version "), quoted(part.name)];
    case "event":
      return [words(eventPhrase(part.type))];
  }
}

/** Returns the predicate of a line from its `most` largest parts, by default from all. */
export function lineWords(
  { parts }: Pick<ChangeLine, "parts">,
  context: Context,
  most = parts.length,
): Piece[] {
  const pieces = parts
    .slice(0, most)
    .flatMap((part, at) => [...(at > 0 ? [words(" and ")] : []), ...piecesOf(part, context)])
    .filter(({ text }) => text !== "");
  return pieces.length > 0 ? pieces : [words("changed it")];
}

/** Formats the amount of a line's changes: "38 words added, 17 deleted", or "" without any. */
export function amountWords({ added, removed, parts }: ChangeLine): string {
  const [part] = parts;
  if (part?.kind === "commented" || part?.kind === "replied")
    return part.count === 1 ? "1 comment" : `${numberWords(part.count)} comments`;
  if (added === 0 && removed === 0) return "";
  if (removed === 0) return `${counted(added)} added`;
  if (added === 0) return `${counted(removed)} deleted`;
  if (part?.kind === "replaced" && parts.length === 1)
    return `${counted(Math.max(added, removed))} changed`;
  return `${counted(added)} added, ${numberWords(removed)} deleted`;
}

const isTalk = ({ parts }: ChangeLine) =>
  parts.every(({ kind }) => kind === "commented" || kind === "replied");

/**
 * Returns the text of the link to unread changes: "See 4 changes", "See 1 reply". `isTalk` is true
 * if all changes are comments.
 */
export function unreadWords(lines: readonly ChangeLine[]): { text: string; isTalk: boolean } {
  const talk = lines.length > 0 && lines.every(isTalk);
  if (talk) {
    const replies = lines.every(({ parts }) => parts.every(({ kind }) => kind === "replied"));
    const count = lines.reduce(
      (sum, { parts }) =>
        sum + parts.reduce((all, part) => all + ("count" in part ? part.count : 0), 0),
      0,
    );
    const noun = replies
      ? count === 1
        ? "reply"
        : "replies"
      : count === 1
        ? "comment"
        : "comments";
    return { text: `See ${numberWords(count)} ${noun}`, isTalk: true };
  }
  const count = lines.reduce((sum, { changes }) => sum + changes, 0);
  if (count === 0) return { text: "See what changed", isTalk: false };
  return { text: `See ${numberWords(count)} ${count === 1 ? "change" : "changes"}`, isTalk: false };
}

/** Returns the line with the largest change, the newest of equals. */
export function largestLine(newestFirst: readonly ChangeLine[]): ChangeLine | null {
  const weight = ({ added, removed }: ChangeLine) => added + removed;
  return newestFirst.reduce<ChangeLine | null>(
    (most, line) => (most === null || weight(line) > weight(most) ? line : most),
    null,
  );
}

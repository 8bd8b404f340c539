import type { EditorState } from "@tiptap/pm/state";

/** The query typed behind a sign that starts a link to a document. */
export type LinkQuery = {
  from: number;
  to: number;
  words: string;
  /** `@` has many other uses, so a query without a match closes the list of `@`. */
  sign: "[[" | "@";
};

const triggers = [
  { sign: "[[", typed: /\[\[([^[\]]{0,60})$/ },
  { sign: "@", typed: /(?:^|[\s(])@([\p{L}\p{N}][^@[\]]{0,30}|)$/u },
] as const;

/** Returns the text before the caret in its line, or null where no link is allowed. */
function wordsBefore({ schema, selection }: EditorState): string | null {
  const { $from } = selection;
  const { documentLink } = schema.nodes;
  if (!selection.empty || documentLink === undefined) return null;
  if ($from.parent.type.spec.code === true || !$from.parent.isTextblock) return null;
  if ($from.marks().some(({ type }) => type.name === "code")) return null;
  const from = Math.max(0, $from.parentOffset - 100);
  return $from.parent.textBetween(from, $from.parentOffset, undefined, "\ufffc");
}

/** Returns the query of a typed `[[` or `@` before the caret, or null without one. */
export function linkQuery(state: EditorState): LinkQuery | null {
  const before = wordsBefore(state);
  if (before === null) return null;
  const to = state.selection.from;
  for (const { sign, typed } of triggers) {
    const words = typed.exec(before)?.[1];
    if (words === undefined || words.includes("\ufffc")) continue;
    return { from: to - words.length - sign.length, to, words, sign };
  }
  return null;
}

/** Returns the last word before the caret and its range, or null without a word. */
export function wordBefore(state: EditorState): { from: number; to: number; word: string } | null {
  const word = /\S+$/.exec(wordsBefore(state) ?? "")?.[0];
  const to = state.selection.from;
  return word === undefined || word.includes("\ufffc")
    ? null
    : { from: to - word.length, to, word };
}

import type { EditorState } from "@tiptap/pm/state";

/** What was typed behind the signs that begin a link to a document. */
export type LinkQuery = {
  from: number;
  to: number;
  words: string;
  /** `@` may begin much else, so what nothing is called does not keep the list open. */
  sign: "[[" | "@";
};

const triggers = [
  { sign: "[[", typed: /\[\[([^[\]]{0,60})$/ },
  { sign: "@", typed: /(?:^|[\s(])@([\p{L}\p{N}][^@[\]]{0,30}|)$/u },
] as const;

/** The words before the caret in its line, where a link may stand; null where none may. */
function wordsBefore({ schema, selection }: EditorState): string | null {
  const { $from } = selection;
  const { documentLink } = schema.nodes;
  if (!selection.empty || documentLink === undefined) return null;
  if ($from.parent.type.spec.code === true || !$from.parent.isTextblock) return null;
  if ($from.marks().some(({ type }) => type.name === "code")) return null;
  const from = Math.max(0, $from.parentOffset - 100);
  return $from.parent.textBetween(from, $from.parentOffset, undefined, "\ufffc");
}

/** What somebody is looking for who has typed `[[` or `@` and perhaps words behind it; null for nothing. */
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

/** The last word before the caret, and where it stands; null where there is none. */
export function wordBefore(state: EditorState): { from: number; to: number; word: string } | null {
  const word = /\S+$/.exec(wordsBefore(state) ?? "")?.[0];
  const to = state.selection.from;
  return word === undefined || word.includes("\ufffc")
    ? null
    : { from: to - word.length, to, word };
}

import type { Node } from "@tiptap/pm/model";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { lettersOf } from "./undo-change";

/** The open undo step and the changes that would join it. Null before a new step. */
export type OpenStep =
  | { kind: "composing"; composition: number }
  | { kind: "typing" | "deleting"; at: number; letters: number; last: string }
  | null;

const mostLetters = 20;
const wordLetter = /[\p{L}\p{M}\p{N}_'’]/u;

const isWordLetter = (letter: string) => wordLetter.test(letter);

type Edit = { kind: "typing" | "deleting"; from: number; to: number; letters: string };

/** Returns the text typed or deleted within a line, if the transaction made no other change. */
function editOf(transaction: Transaction, doc: Node): Edit | null {
  const [step, ...others] = transaction.steps;
  if (
    !(step instanceof ReplaceStep) ||
    others.length > 0 ||
    transaction.getMeta("uiEvent") !== undefined
  )
    return null;
  const $from = doc.resolve(step.from);
  if (
    !$from.parent.isTextblock ||
    $from.end() < step.to ||
    transaction.getMeta("paste") !== undefined
  )
    return null;
  const letters = lettersOf(step.slice);
  if (letters === null) return null;
  if (letters !== "") return { kind: "typing", from: step.from, to: step.to, letters };
  return {
    kind: "deleting",
    from: step.from,
    to: step.to,
    letters: doc.textBetween(step.from, step.to, "\n", "\n"),
  };
}

function belongs(open: OpenStep, edit: Edit, letters: readonly string[]): boolean {
  if (open?.kind !== edit.kind || open.letters + letters.length > mostLetters) return false;
  const [first = ""] = letters;
  // A word includes the space and punctuation after it. The next word is another step.
  if (letters.length > 1 || first === "\n" || (isWordLetter(first) && !isWordLetter(open.last)))
    return false;
  return edit.kind === "typing"
    ? edit.from === open.at && edit.to === open.at
    : edit.to === open.at || edit.from === open.at;
}

/**
 * Returns whether a change joins the open undo step, and the step that is open afterwards. A step
 * is a word, a composition, or any other single change. Timing does not matter.
 */
export function nextStep(
  open: OpenStep,
  transaction: Transaction,
  before: EditorState,
): { joins: boolean; open: OpenStep } {
  const composition: unknown = transaction.getMeta("composition");
  if (typeof composition === "number") {
    return {
      joins: open?.kind === "composing" && open.composition === composition,
      open: { kind: "composing", composition },
    };
  }
  const edit = editOf(transaction, before.doc);
  if (edit === null) return { joins: false, open: null };
  const letters = [...edit.letters];
  const joins = belongs(open, edit, letters);
  const at = edit.kind === "typing" ? edit.from + edit.letters.length : edit.from;
  const many = (joins && open && "letters" in open ? open.letters : 0) + letters.length;
  return { joins, open: { kind: edit.kind, at, letters: many, last: letters.at(-1) ?? "" } };
}

/** Returns the open step after a caret move: none, unless the caret is at the last typed letter. */
export function afterMove(open: OpenStep, { selection }: EditorState): OpenStep {
  if (open === null || open.kind === "composing") return open;
  return selection.empty && selection.head === open.at ? open : null;
}

import type { Editor } from "@tiptap/core";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { longestAddress } from "@/events/content/link-address";
import { addressFromInput } from "@/events/content/safe-address";

const typed =
  /(?:^|[\s(\[{“‘"'])((?:https?:\/\/|www\.)[^\s<>"\\]+|[^\s@:/()<>"]+@[^\s@:/()<>"]+\.[a-z]{2,})$/iu;
const endSigns = /[.,;:!?'"’”\]}]$/;

/** Returns an address without the punctuation of the sentence around it. */
function withoutEnd(words: string): string {
  let address = words;
  for (;;) {
    const opened = address.split("(").length;
    const closed = address.split(")").length;
    const isEnd = endSigns.test(address) || (address.endsWith(")") && closed > opened);
    if (!isEnd) return address;
    address = address.slice(0, -1);
  }
}

/**
 * Returns the address that ends at a position of a line, or null without one or if it is already a
 * link.
 */
function addressBefore(
  state: EditorState,
  at: number,
): { from: number; to: number; href: string } | null {
  const $at = state.doc.resolve(at);
  const { parent, parentOffset } = $at;
  const { link, code } = state.schema.marks;
  if (!parent.isTextblock || parent.type.spec.code === true || !link || !code) return null;
  const line = parent.textBetween(
    Math.max(0, parentOffset - longestAddress),
    parentOffset,
    undefined,
    "\ufffc",
  );
  const words = typed.exec(line)?.[1];
  if (words === undefined) return null;
  const address = withoutEnd(words);
  const href = addressFromInput(address);
  const from = at - words.length;
  const to = from + address.length;
  if (href === null || /^https?:\/\/$/i.test(address)) return null;
  const isTaken = state.doc.rangeHasMark(from, to, link) || state.doc.rangeHasMark(from, to, code);
  return isTaken ? null : { from, to, href };
}

/** Returns the position before a typed space or new line, or null for other transactions. */
function typedBehind(transaction: Transaction, { selection, doc }: EditorState): number | null {
  const [step, ...others] = transaction.steps;
  if (!(step instanceof ReplaceStep) || others.length > 0 || step.from !== step.to) return null;
  const isTyped = [ySyncPluginKey, "paste", "uiEvent", "addToHistory"].every(
    (key) => transaction.getMeta(key) === undefined,
  );
  const { content, openStart, openEnd } = step.slice;
  const isBreak = openStart > 0 && openStart === openEnd;
  const isSign = openStart === 0 && content.size === 1 && content.firstChild?.isInline === true;
  if (!isTyped || !(isBreak || isSign) || !selection.empty || doc !== transaction.doc) return null;
  const between = selection.from > step.from ? doc.textBetween(step.from, selection.from) : "-";
  return /^[ \u00a0]?$/.test(between) ? step.from : null;
}

/** Links an address that the person has just completed. Returns null without an address. */
export function autoLink(transaction: Transaction, after: EditorState): Transaction | null {
  const at = transaction.docChanged ? typedBehind(transaction, after) : null;
  const found = at === null ? null : addressBefore(after, at);
  const { link } = after.schema.marks;
  if (found === null || !link) return null;
  const { from, to, href } = found;
  return after.tr.addMark(from, to, link.create({ href })).removeStoredMark(link);
}

/**
 * Links typed addresses once a space or a new line follows them. The link is a separate undo step.
 * Returns the function that stops.
 */
export function watchAddresses(editor: Editor): () => void {
  const look = ({ transaction }: { transaction: Transaction }) => {
    if (!editor.isEditable || editor.view.composing) return;
    const linked = autoLink(transaction, editor.state);
    if (linked !== null) editor.view.dispatch(linked);
  };
  editor.on("transaction", look);
  return () => editor.off("transaction", look);
}

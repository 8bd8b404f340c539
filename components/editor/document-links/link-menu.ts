import type { EditorState, Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { targetOfAddress } from "@/events/content/document-address";
import type { DocumentTarget } from "@/events/content/document-address";
import type { LinkedDocument } from "@/events/content/document-link";
import { linkOptions, optionId } from "./link-options";
import type { LinkOption } from "./link-options";
import { linkNames } from "./link-names";
import { changeLinkMenu, linkMenuState } from "./link-menu-state";
import type { LinkMenuState, MenuChange, MenuPart } from "./link-menu-state";
import { linkQuery, wordBefore } from "./link-query";

type Begin = (title: string) => string | null;

/** The id of the listbox, for the editor's ARIA attributes. */
export const linkListId = "link-list";

/** Returns the list after a transaction, or null without a list. */
export function nextPart(
  transaction: Transaction,
  before: MenuPart,
  state: EditorState,
  change: MenuChange | undefined,
): MenuPart | null {
  const { open } = before;
  if (change !== undefined && "dismissed" in change)
    return { open: null, dismissed: open?.from ?? null };
  if (change !== undefined && "chosen" in change)
    return open && { ...before, open: { ...open, chosen: change.chosen } };
  const query = linkQuery(state);
  if (query === null) return null;
  const { mapping, docChanged } = transaction;
  const was = open === null ? null : mapping.map(open.from);
  const dismissed = before.dismissed === null ? null : mapping.map(before.dismissed);
  if (query.from === dismissed) return { open: null, dismissed };
  // A caret moved behind the sign, or a remote change, does not open the list.
  const remote = ySyncPluginKey.getState(state)?.isChangeOrigin === true;
  // If `[[` offered no document, the first letter behind it offers to create one.
  const isTyped = query.words === "" || (query.sign === "[[" && query.words.length === 1);
  const begins = change !== undefined || (docChanged && !remote && isTyped);
  if (was !== query.from && !begins) return null;
  const options = linkOptions(query);
  if (options.length === 0) return null;
  const kept = open?.options[open.chosen];
  const same =
    open?.words === query.words && kept ? options.map(optionId).indexOf(optionId(kept)) : 0;
  return { open: { ...query, options, chosen: Math.max(0, same) }, dismissed: null };
}

/** Returns the ARIA attributes that name the chosen option of the open list. */
export function menuAttributes(open: LinkMenuState | null): Record<string, string> {
  const chosen = open?.options[open.chosen];
  if (chosen === undefined) return {};
  return {
    "aria-haspopup": "listbox",
    "aria-controls": linkListId,
    "aria-activedescendant": optionId(chosen),
  };
}

function insertLink(
  view: EditorView,
  { from, to }: { from: number; to: number },
  { document, block }: DocumentTarget,
): void {
  const link = view.state.schema.nodes.documentLink?.create({ document, block });
  if (link) view.dispatch(view.state.tr.replaceWith(from, to, link).scrollIntoView());
}

/** Replaces the typed query with a link to the chosen option. */
export function insertChosen(
  view: EditorView,
  open: LinkMenuState,
  option: LinkOption,
  begin: Begin,
): void {
  const document = option.kind === "document" ? option.row.id : begin(option.title);
  if (document === null) changeLinkMenu(view, { dismissed: true });
  else insertLink(view, open, { document, block: null });
}

/** Handles the keys of the open list. */
export function handleKey(view: EditorView, event: KeyboardEvent, begin: Begin): boolean {
  const open = linkMenuState(view.state);
  if (open === null || event.isComposing || view.composing) return false;
  const { options, chosen } = open;
  const choose = (to: number) => {
    changeLinkMenu(view, { chosen: (to + options.length) % options.length });
    return true;
  };
  switch (event.key) {
    case "ArrowDown":
      return choose(chosen + 1);
    case "ArrowUp":
      return choose(chosen - 1);
    case "Escape":
      changeLinkMenu(view, { dismissed: true });
      return true;
    case "Enter":
    case "Tab": {
      const option = options[chosen];
      if (option === undefined || event.shiftKey) return false;
      insertChosen(view, open, option, begin);
      return true;
    }
    default:
      return false;
  }
}

/** Returns the document of the workspace to which a word links, or null for any other word. */
function targetIn(word: string): DocumentTarget | null {
  const target = targetOfAddress(word, location.origin);
  return target !== null && linkNames.holds(target.document) ? target : null;
}

const sameTitle = (words: string) => (row: LinkedDocument) =>
  row.title.trim().toLowerCase() === words.trim().toLowerCase();

/**
 * Turns a completed `[[Title]]`, or an address followed by a space, into a link. Undo restores the
 * typed letters.
 */
export function handleLetter(view: EditorView, letter: string): boolean {
  const { state } = view;
  if (letter === "]") {
    const { from, words } = /\[\[[^[\]]+\]$/.test(wordsIn(state)) ? titleTyped(state) : nothing;
    const row = words === "" ? undefined : linkNames.documents.find(sameTitle(words));
    if (row === undefined) return false;
    view.dispatch(state.tr.insertText(letter));
    insertLink(view, { from, to: view.state.selection.from }, { document: row.id, block: null });
    return true;
  }
  const typed = letter === " " ? wordBefore(state) : null;
  const target = typed && targetIn(typed.word);
  if (typed === null || target === null) return false;
  view.dispatch(state.tr.insertText(letter));
  insertLink(view, typed, target);
  return true;
}

const nothing = { from: 0, words: "" };

function wordsIn({ selection: { $from } }: EditorState): string {
  return $from.parent.textBetween(Math.max(0, $from.parentOffset - 100), $from.parentOffset);
}

function titleTyped(state: EditorState): { from: number; words: string } {
  const words = /\[\[([^[\]]+)\]$/.exec(wordsIn(state))?.[1] ?? "";
  return { from: state.selection.from - words.length - 3, words };
}

/**
 * Turns a pasted address of a document into a link. The text is pasted first, so that undo restores
 * it.
 */
export function handlePaste(view: EditorView, text: string | undefined): boolean {
  const { state } = view;
  const { empty, $from, from } = state.selection;
  const target = text === undefined ? null : targetIn(text);
  if (target === null || text === undefined || !empty || !$from.parent.inlineContent) return false;
  if ($from.parent.type.spec.code === true) return false;
  const address = text.trim();
  const mark = state.schema.marks.link?.create({ href: address });
  const pasted = state.schema.text(address, mark?.addToSet($from.marks()));
  view.dispatch(state.tr.insert(from, pasted).setMeta("paste", true));
  insertLink(view, { from, to: from + address.length }, target);
  return true;
}

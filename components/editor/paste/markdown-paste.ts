import type { Editor } from "@tiptap/core";
import { Slice } from "@tiptap/pm/model";
import type { Fragment, Node } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { importWithRetry } from "@/components/loading/retrying-import";
import { splitLongParagraphs } from "./paragraphs";
import { pasteInPieces, pieceSize } from "./long-paste";
import { narrowChange } from "../undo/narrow-change";

const markdownSyntax =
  /^ {0,3}(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|`{3}|~{3}|\||[-*_]{3,}\s*$)|[*_`~]|\]\(|https?:\/\//m;

/** Whether a text contains Markdown syntax. */
export function mayBeMarkdown(text: string): boolean {
  return markdownSyntax.test(text);
}

/**
 * The Markdown on a clipboard: plain text, or text that VS Code marks as Markdown; null for
 * anything else.
 */
export function markdownIn(data: DataTransfer | null): string | null {
  const text = data?.getData("text/plain") ?? "";
  const html = (data?.getData("text/html") ?? "").trim();
  const isMarkdown = /"mode":"markdown"/.test(data?.getData("vscode-editor-data") ?? "");
  const isOther = isMarkdown ? false : html !== "" || data?.getData("vscode-editor-data") !== "";
  return isOther || !mayBeMarkdown(text) ? null : text;
}

/** The lines of a text as paragraphs, as the editor itself pastes plain text. */
function plainSlice({ schema, storedMarks, selection }: EditorState, text: string): Slice {
  const marks = storedMarks ?? selection.$from.marks();
  const blocks = text
    .split(/(?:\r\n?|\n)+/)
    .map((line) => schema.node("paragraph", null, line === "" ? [] : schema.text(line, marks)));
  return Slice.maxOpen(schema.node("doc", null, blocks).content);
}

/** The parsed content as a slice for the selection: only paragraphs join the text beside them. */
function readSlice(text: Node, { selection: { $from } }: EditorState): Slice {
  const { content } = splitLongParagraphs(new Slice(text.content, 0, 0)).slice;
  const depthOf = (block: Node | null) => (block?.type.name === "paragraph" ? 1 : 0);
  // A pasted list continues the list around it.
  const list = $from.depth > 2 ? $from.node($from.depth - 2) : null;
  const isList = content.childCount === 1 && content.firstChild?.type === list?.type;
  return isList
    ? new Slice(content, 3, 3)
    : new Slice(content, depthOf(content.firstChild), depthOf(content.lastChild));
}

/** Tracks the range of pasted words through later edits. */
function followed(editor: Editor, place: { from: number; to: number }) {
  let { from, to } = place;
  const follow = ({ transaction }: { transaction: Transaction }) => {
    if (!transaction.docChanged) return;
    const change =
      transaction.getMeta(ySyncPluginKey) === undefined
        ? transaction.mapping
        : narrowChange(transaction.before, transaction.doc);
    from = change?.map(from, 1) ?? from;
    to = Math.max(from, change?.map(to, -1) ?? to);
  };
  editor.on("transaction", follow);
  return {
    end: () => {
      editor.off("transaction", follow);
      return { from, to };
    },
  };
}

/** Whether content is so long that it must be inserted in pieces, at a position that allows it. */
function isLong(content: Fragment, { selection }: EditorState): boolean {
  return content.size > pieceSize && selection.$from.depth === 1 && selection.$to.depth === 1;
}

/** Replaces pasted letters by what they say as Markdown, as an undo step of its own. */
export function convert(
  view: Pick<EditorView, "state" | "dispatch">,
  { from, to }: { from: number; to: number },
  read: Node,
): void {
  const { state } = view;
  const atEnd = state.selection.empty && state.selection.from === to;
  const selecting = state.tr.setSelection(TextSelection.create(state.doc, from, to));
  const selected = state.apply(selecting);
  // Each editor has its own schema and node types.
  const slice = readSlice(state.schema.nodeFromJSON(read.toJSON()), selected);
  if (isLong(slice.content, selected)) {
    view.dispatch(selecting);
    return pasteInPieces(view, slice.content);
  }
  const tr = state.tr.replaceRange(from, to, slice).setMeta("paste", true);
  if (atEnd) {
    const $end = tr.doc.resolve(Math.min(tr.mapping.map(to), tr.doc.content.size));
    // The following text has been split into a block of its own.
    const isSplit = slice.openEnd === 0 && $end.depth > 0 && $end.parentOffset === 0;
    const behind = isSplit ? Selection.findFrom(tr.doc.resolve($end.before()), -1) : null;
    tr.setSelection(behind ?? Selection.near($end, -1));
  }
  view.dispatch(tr.scrollIntoView());
}

/** Pastes lines as plain text; returns their range. */
export function pastePlain(
  view: Pick<EditorView, "state" | "dispatch">,
  text: string,
): { from: number; to: number } {
  const { state } = view;
  const { from } = state.selection;
  const { slice } = splitLongParagraphs(plainSlice(state, text));
  if (isLong(slice.content, state)) pasteInPieces(view, slice.content);
  else view.dispatch(state.tr.replaceSelection(slice).setMeta("paste", true).scrollIntoView());
  return { from, to: view.state.selection.from };
}

/** A table as HTML, as this product exports one whose cells hold more than a line. */
const tableLine = /^[ >]*(?:[-*] |\d+\. )*<table>/m;

/** Reads Markdown with such a table the way an import does. */
async function readWithTables(text: string): Promise<Node> {
  const { readMarkdownFile } = await importWithRetry(
    () => import("@/events/formats/reading/read-markdown"),
  );
  // Otherwise the first heading would be read as the title.
  const { text: read } = readMarkdownFile(`# \n\n${text}`, {
    origin: location.origin,
    left: () => undefined,
    pictureOf: () => null,
  });
  return read;
}

/** Pastes a text as plain text and then, as an undo step of its own, converts it from Markdown. */
export async function pasteMarkdown(editor: Editor, text: string): Promise<void> {
  const { view } = editor;
  const pasted = pastePlain(view, text);
  const letters = view.state.doc.slice(pasted.from, pasted.to);
  const place = followed(editor, pasted);
  const { readMarkdown, saysMore } = await importWithRetry(
    () => import("@/events/content/markdown-reading"),
  );
  const read = tableLine.test(text) ? await readWithTables(text) : readMarkdown(text);
  const { from, to } = place.end();
  if (editor.isDestroyed || view.composing || !editor.isEditable) return;
  // The paste was undone or edited while its code was loading.
  if (!view.state.doc.slice(from, to).eq(letters)) return;
  if (saysMore(read)) convert(view, { from, to }, read);
}

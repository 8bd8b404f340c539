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
 * Returns the Markdown on a clipboard: plain text, or text that VS Code marks as Markdown. Returns
 * null for other content.
 */
export function markdownIn(data: DataTransfer | null): string | null {
  const text = data?.getData("text/plain") ?? "";
  const html = (data?.getData("text/html") ?? "").trim();
  const isMarkdown = /"mode":"markdown"/.test(data?.getData("vscode-editor-data") ?? "");
  const isOther = isMarkdown ? false : html !== "" || data?.getData("vscode-editor-data") !== "";
  return isOther || !mayBeMarkdown(text) ? null : text;
}

/** Returns the lines of a text as paragraphs, in the way in which the editor pastes plain text. */
function plainSlice({ schema, storedMarks, selection }: EditorState, text: string): Slice {
  const marks = storedMarks ?? selection.$from.marks();
  const blocks = text
    .split(/(?:\r\n?|\n)+/)
    .map((line) => schema.node("paragraph", null, line === "" ? [] : schema.text(line, marks)));
  return Slice.maxOpen(schema.node("doc", null, blocks).content);
}

/** Returns the parsed content as a slice. Only its paragraphs join the text beside them. */
function readSlice(text: Node, { selection: { $from } }: EditorState): Slice {
  const { content } = splitLongParagraphs(new Slice(text.content, 0, 0)).slice;
  const depthOf = (block: Node | null) => (block?.type.name === "paragraph" ? 1 : 0);
  // A pasted list continues the surrounding list.
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

/** Whether content is so long that it must be pasted in pieces, at a position that allows this. */
function isLong(content: Fragment, { selection }: EditorState): boolean {
  return content.size > pieceSize && selection.$from.depth === 1 && selection.$to.depth === 1;
}

/** Replaces pasted letters with their Markdown content, as a separate undo step. */
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
    // The following text was split into a separate block.
    const isSplit = slice.openEnd === 0 && $end.depth > 0 && $end.parentOffset === 0;
    const behind = isSplit ? Selection.findFrom(tr.doc.resolve($end.before()), -1) : null;
    tr.setSelection(behind ?? Selection.near($end, -1));
  }
  view.dispatch(tr.scrollIntoView());
}

/** Pastes lines as plain text. Returns their range. */
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

/** A table as HTML, which Palimpsest exports if a cell has more than one line. */
const tableLine = /^[ >]*(?:[-*] |\d+\. )*<table>/m;

/** Reads Markdown with an HTML table in the same way as an import. */
async function readWithTables(text: string): Promise<Node> {
  const { readMarkdownFile } = await importWithRetry(
    () => import("@/events/formats/reading/read-markdown"),
  );
  // The empty title prevents the first heading from being read as the title.
  const { text: read } = readMarkdownFile(`# \n\n${text}`, {
    origin: location.origin,
    left: () => undefined,
    pictureOf: () => null,
  });
  return read;
}

/** Pastes a text as plain text, and then converts it from Markdown as a separate undo step. */
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
  // The paste was undone or edited while the code was loading.
  if (!view.state.doc.slice(from, to).eq(letters)) return;
  if (saysMore(read)) convert(view, { from, to }, read);
}

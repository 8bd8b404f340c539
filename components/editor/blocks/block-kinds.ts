import type { Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import type { BlockKindId } from "../turning/block-turning";
import { selectedBlocks } from "./block-moves";

/** A kind that a block can be turned into. */
type BlockKind = { id: BlockKindId; name: string; keys: string | null };

/** The kinds of blocks in menu order. The slash menu uses the same ids. */
export const blockKinds: readonly BlockKind[] = [
  { id: "text", name: "Text", keys: "Mod+Alt+0" },
  { id: "heading-1", name: "Heading", keys: "Mod+Alt+1" },
  { id: "heading-2", name: "Subheading", keys: "Mod+Alt+2" },
  { id: "heading-3", name: "Small heading", keys: "Mod+Alt+3" },
  {
    id: "bullets",
    name: "Bulleted list",
    keys: "Mod+Shift+8",
  },
  {
    id: "numbers",
    name: "Numbered list",
    keys: "Mod+Shift+7",
  },
  { id: "tasks", name: "To-do list", keys: "Mod+Shift+9" },
  {
    id: "quote",
    name: "Quotation",
    keys: "Mod+Shift+B",
  },
  { id: "code", name: "Code", keys: "Mod+Alt+C" },
];

const kindsOfLists: Record<string, string> = {
  bulletList: "bullets",
  orderedList: "numbers",
  taskList: "tasks",
};

/** Returns the kind of the selected block, or null if it cannot be turned, such as a table. */
export function kindOfBlock(state: EditorState): string | null {
  const range = selectedBlocks(state);
  const block = range && state.doc.nodeAt(range.from);
  if (!range || !block) return null;
  switch (block.type.name) {
    case "paragraph":
      return "text";
    case "heading":
      return `heading-${String(block.attrs.level)}`;
    case "blockquote":
      return "quote";
    case "codeBlock":
      return "code";
    case "listItem":
    case "taskItem":
      return kindsOfLists[state.doc.resolve(range.from).parent.type.name] ?? null;
    default:
      return kindsOfLists[block.type.name] ?? null;
  }
}

/** Turns the selected blocks into another kind, as one undo step. */
export function turnInto(editor: Editor, kind: BlockKind): void {
  const range = selectedBlocks(editor.state);
  if (range === null) return;
  // A quotation is turned as a whole, and not only the line with the caret.
  const isQuote = editor.state.doc.nodeAt(range.from)?.type.name === "blockquote";
  editor.storage.turningKeys.commands?.turnBlocks(editor, kind.id, isQuote ? range : undefined);
}

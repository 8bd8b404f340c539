import type { ChainedCommands, Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import { selectedBlocks } from "./block-moves";

/** What a block can be turned into. */
type BlockKind = {
  id: string;
  name: string;
  keys: string | null;
  turn: (chain: ChainedCommands) => ChainedCommands;
};

const heading =
  (level: number): BlockKind["turn"] =>
  (chain) =>
    chain.setNode("heading", { level });
const list =
  (name: string, item: string): BlockKind["turn"] =>
  (chain) =>
    chain.toggleList(name, item);

/** The kinds of a block, in the order of the menu; the ids are those of the slash menu. */
export const blockKinds: readonly BlockKind[] = [
  { id: "text", name: "Text", keys: "Mod+Alt+0", turn: (chain) => chain },
  { id: "heading-1", name: "Heading", keys: "Mod+Alt+1", turn: heading(1) },
  { id: "heading-2", name: "Subheading", keys: "Mod+Alt+2", turn: heading(2) },
  { id: "heading-3", name: "Small heading", keys: "Mod+Alt+3", turn: heading(3) },
  {
    id: "bullets",
    name: "Bulleted list",
    keys: "Mod+Shift+8",
    turn: list("bulletList", "listItem"),
  },
  {
    id: "numbers",
    name: "Numbered list",
    keys: "Mod+Shift+7",
    turn: list("orderedList", "listItem"),
  },
  { id: "tasks", name: "To-do list", keys: "Mod+Shift+9", turn: list("taskList", "taskItem") },
  {
    id: "quote",
    name: "Quotation",
    keys: "Mod+Shift+B",
    turn: (chain) => chain.toggleWrap("blockquote"),
  },
  { id: "code", name: "Code", keys: "Mod+Alt+C", turn: (chain) => chain.setNode("codeBlock") },
];

const kindsOfLists: Record<string, string> = {
  bulletList: "bullets",
  orderedList: "numbers",
  taskList: "tasks",
};

/** What the block of the selection is; null for what can become nothing else, as a table. */
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

/** Makes another kind of block of that of the selection, as one step of Undo. */
export function turnInto(editor: Editor, kind: BlockKind): void {
  const range = selectedBlocks(editor.state);
  if (range === null || kindOfBlock(editor.state) === kind.id) return;
  const { from, to } = editor.state.selection;
  const isQuote = editor.state.doc.nodeAt(range.from)?.type.name === "blockquote";
  const chain = editor.chain();
  // Everything in a quotation becomes something else, and not only the line with the caret.
  if (isQuote) chain.setTextSelection({ from: range.from + 1, to: range.to - 1 });
  kind.turn(chain.clearNodes()).run();
  if (isQuote) editor.commands.setTextSelection({ from: from - 1, to: to - 1 });
  editor.commands.focus(undefined, { scrollIntoView: false });
}

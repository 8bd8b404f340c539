import { type Editor, Node, wrappingInputRule } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";

const name = "blockquote";

/** Backspace at the beginning of a block: out of the quotation it stands in, or on to the end of the one before it. */
function backspace(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const depth = $from.depth - 1;
  if (!empty || $from.parentOffset !== 0 || depth < 0 || $from.index(depth) === 0) return false;
  if ($from.node(depth).type.name === name) return editor.commands.lift(name);
  const before = $from.node(depth).child($from.index(depth) - 1);
  if (before.type.name !== name || before.lastChild?.isTextblock !== true) return false;
  const end = $from.before() - 2;
  const words = $from.parent.content;
  return editor.commands.command(({ tr }) => {
    tr.delete($from.before(), $from.after()).insert(end, words);
    tr.setSelection(TextSelection.create(tr.doc, end + words.size)).scrollIntoView();
    return true;
  });
}

/** Words of somebody else's. */
export const Blockquote = Node.create({
  name,
  content: "block+",
  group: "block",
  defining: true,
  parseHTML: () => [{ tag: "blockquote" }],
  renderHTML: ({ HTMLAttributes }) => ["blockquote", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    const { editor } = this;
    return {
      "Mod-Shift-b": () => editor.commands.toggleWrap(name),
      Backspace: () => backspace(editor),
    };
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*>\s$/, type: this.type })];
  },
});

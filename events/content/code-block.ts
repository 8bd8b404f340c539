import { type Editor, Node, textblockTypeInputRule } from "@tiptap/core";
import type { ResolvedPos } from "@tiptap/pm/model";
import { longestLanguage } from "./text-schema";
import { Plugin, Selection, TextSelection } from "@tiptap/pm/state";

const name = "codeBlock";

/** The caret in a block of code; null where it is elsewhere or something is selected. */
function caretIn(editor: Editor): ResolvedPos | null {
  const { $from, empty } = editor.state.selection;
  return empty && $from.parent.type.name === name ? $from : null;
}

/** The language that VS Code names beside what was copied there. */
const languageOf = (copied: DataTransfer | null) =>
  /"mode":"([\w+#.-]{1,32})"/.exec(copied?.getData("vscode-editor-data") ?? "")?.[1];

const atEnd = (caret: ResolvedPos) => caret.parentOffset === caret.parent.content.size;

/** Code in a block of its own; the language is kept as a word and never reaches the page. */
export const CodeBlock = Node.create({
  name,
  content: "text*",
  marks: "",
  group: "block",
  code: true,
  defining: true,

  addAttributes: () => ({
    language: {
      default: null,
      rendered: false,
      parseHTML: (element: HTMLElement) =>
        /(?:^|\s)language-([\w+#.-]{1,32})/.exec(element.firstElementChild?.className ?? "")?.[1] ??
        null,
    },
  }),

  parseHTML: () => [{ tag: "pre", preserveWhitespace: "full" }],

  renderHTML: ({ HTMLAttributes }) => ["pre", HTMLAttributes, ["code", { spellcheck: "false" }, 0]],

  addKeyboardShortcuts() {
    const { editor } = this;
    return {
      "Mod-Alt-c": () => editor.commands.toggleNode(name, "paragraph"),
      Backspace: () => {
        const caret = caretIn(editor);
        return (
          caret !== null &&
          (caret.pos === 1 || caret.parent.textContent === "") &&
          editor.commands.clearNodes()
        );
      },
      // A third Enter at the end leaves the block.
      Enter: () => {
        const caret = caretIn(editor);
        if (caret === null || !atEnd(caret) || !caret.parent.textContent.endsWith("\n\n"))
          return false;
        return editor
          .chain()
          .command(({ tr }) => tr.delete(caret.pos - 2, caret.pos).docChanged)
          .exitCode()
          .run();
      },
      ArrowUp: () => {
        const caret = caretIn(editor);
        return (
          caret !== null &&
          caret.parentOffset === 0 &&
          caret.before() === 0 &&
          editor.commands.insertDefaultBlock({ pos: 0 })
        );
      },
      ArrowDown: () => {
        const caret = caretIn(editor);
        if (caret === null || !atEnd(caret)) return false;
        const after = caret.after();
        if (editor.state.doc.nodeAt(after) === null) return editor.commands.exitCode();
        return editor.commands.command(({ tr }) => {
          tr.setSelection(Selection.near(tr.doc.resolve(after)));
          return true;
        });
      },
    };
  },

  addInputRules() {
    return [/^```([a-z]+)?[\s\n]$/, /^~~~([a-z]+)?[\s\n]$/].map((find) =>
      textblockTypeInputRule({
        find,
        type: this.type,
        getAttributes: (match) => ({ language: match[1]?.slice(0, longestLanguage) }),
      }),
    );
  },

  addProseMirrorPlugins() {
    const { editor, type } = this;
    return [
      new Plugin({
        props: {
          handlePaste: (view, { clipboardData }) => {
            const text = clipboardData?.getData("text/plain") ?? "";
            const language = languageOf(clipboardData);
            if (text === "" || language === undefined || editor.isActive(name)) return false;
            const { tr, schema } = view.state;
            tr.replaceSelectionWith(
              type.create({ language }, schema.text(text.replace(/\r\n?/g, "\n"))),
            );
            if (tr.selection.$from.parent.type !== type)
              tr.setSelection(
                TextSelection.near(tr.doc.resolve(Math.max(0, tr.selection.from - 2))),
              );
            view.dispatch(tr.setMeta("paste", true));
            return true;
          },
        },
      }),
    ];
  },
});

import { textblockTypeInputRule } from "@tiptap/core";
import { CodeBlock as TiptapCodeBlock } from "@tiptap/extension-code-block";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import { longestLanguage } from "./text-schema";

/** Returns the language that VS Code puts on the clipboard with copied code. */
const languageOf = (copied: DataTransfer | null) =>
  /"mode":"([\w+#.-]{1,32})"/.exec(copied?.getData("vscode-editor-data") ?? "")?.[1];

/**
 * A code block. Its language is stored as a word and never rendered. Unlike Tiptap's own rules,
 * every path by which a language enters is restricted to the values that the log accepts.
 */
export const CodeBlock = TiptapCodeBlock.extend({
  addAttributes: () => ({
    language: {
      default: null,
      rendered: false,
      parseHTML: (element: HTMLElement) =>
        /(?:^|\s)language-([\w+#.-]{1,32})/.exec(element.firstElementChild?.className ?? "")?.[1] ??
        null,
    },
  }),

  renderHTML: ({ HTMLAttributes }) => ["pre", HTMLAttributes, ["code", { spellcheck: "false" }, 0]],

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
            if (text === "" || language === undefined || editor.isActive(type.name)) return false;
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

import { textblockTypeInputRule } from "@tiptap/core";
import { CodeBlock as TiptapCodeBlock } from "@tiptap/extension-code-block";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import { longestLanguage } from "./text-schema";

/** The language that VS Code names beside what was copied there. */
const languageOf = (copied: DataTransfer | null) =>
  /"mode":"([\w+#.-]{1,32})"/.exec(copied?.getData("vscode-editor-data") ?? "")?.[1];

/**
 * Code in a block of its own; the language is kept as a word and never reaches the page. Wherever a
 * language enters it is held to what the log accepts, which Tiptap's own rules do not know.
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

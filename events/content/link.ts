import { InputRule, Mark, markPasteRule } from "@tiptap/core";
import type { CommandProps } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { safeAddress } from "./safe-address";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    link: {
      /** Links the selection to a safe address. Returns false if the address is not allowed. */
      setLink: (attributes: { href: string }) => ReturnType;
      /** Removes the link around the caret or in the selection. */
      unsetLink: () => ReturnType;
    };
  }
}

const addressInText = /\bhttps?:\/\/[^\s<>"\\]+[^\s<>"\\.,;:!?)\]}'’”]/g;

/**
 * Links the selected words to a lone address that is pasted over them, as other editors do. Returns
 * null for other text, and if the words cannot be linked, such as in code.
 */
export function linkingPaste(
  { schema, selection: { empty, from, to }, tr }: EditorState,
  text: unknown,
): Transaction | null {
  const href = safeAddress(text);
  const { link } = schema.marks;
  if (href === null || link === undefined || empty || !/^(https?|mailto):/i.test(href)) return null;
  tr.addMark(from, to, link.create({ href }));
  return tr.doc.rangeHasMark(from, to, link) ? tr : null;
}

/**
 * The link mark. The address passes the allow-list wherever it enters (paste, command, JSON). It
 * passes the list again when rendered, because an update from another client reaches the schema
 * without being parsed.
 */
export const Link = Mark.create({
  name: "link",
  priority: 1000,
  inclusive: false,
  excludes: "link",

  addAttributes() {
    return { href: { default: null } };
  },

  parseHTML() {
    return [
      {
        tag: "a[href]",
        getAttrs: (element: HTMLElement) => {
          const href = safeAddress(element.getAttribute("href"));
          return href === null ? false : { href };
        },
      },
    ];
  },

  renderHTML({ mark }) {
    const href = safeAddress(mark.attrs.href);
    return href === null
      ? ["span", 0]
      : ["a", { href, rel: "noopener noreferrer nofollow", target: "_blank" }, 0];
  },

  addCommands() {
    return {
      setLink:
        (attributes) =>
        ({ commands }: CommandProps) => {
          const href = safeAddress(attributes.href);
          return href !== null && commands.setMark("link", { href });
        },
      unsetLink:
        () =>
        ({ commands }: CommandProps) =>
          commands.unsetMark("link", { extendEmptyMarkRange: true }),
    };
  },

  addInputRules() {
    return [
      new InputRule({
        // Matches Markdown's [words](address), but not an image.
        find: /(?<!!)\[([^[\]]+)\]\(([^()\s]+)\)$/,
        handler: ({ state: { tr }, range, match }) => {
          const [, words = "", address] = match;
          const href = safeAddress(address);
          if (href === null) return null;
          const begin = range.from + 1;
          tr.delete(begin + words.length, range.to).delete(range.from, begin);
          const end = range.from + words.length;
          tr.addMark(range.from, end, this.type.create({ href })).removeStoredMark(this.type);
          return undefined;
        },
      }),
    ];
  },

  addPasteRules() {
    return [
      markPasteRule({
        find: addressInText,
        type: this.type,
        getAttributes: (match) => {
          const href = safeAddress(match[0]);
          return href === null ? false : { href };
        },
      }),
    ];
  },

  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        props: {
          handlePaste: (view, event) => {
            const linked = linkingPaste(view.state, event.clipboardData?.getData("text/plain"));
            if (linked === null) return false;
            view.dispatch(linked);
            return true;
          },
          handleClick: (view, _position, event) => {
            if (editor.isEditable && !event.metaKey && !event.ctrlKey) return false;
            const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
            const href = safeAddress(anchor?.getAttribute("href"));
            if (href === null || !view.dom.contains(anchor)) return false;
            window.open(href, "_blank", "noopener,noreferrer");
            return true;
          },
        },
      }),
    ];
  },
});

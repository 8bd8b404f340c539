import { mergeAttributes, Node, textblockTypeInputRule } from "@tiptap/core";
import { bounds, within } from "./text-schema";

const levels = [1, 2, 3];

/** Headings of three levels. The title is the page's h1, so level 1 is rendered as h2; `data-level` keeps a copy exact. */
export const Heading = Node.create({
  name: "heading",
  content: "inline*",
  group: "block",
  defining: true,
  addAttributes: () => ({ level: { default: 1, rendered: false } }),
  parseHTML: () =>
    [1, 2, 3, 4, 5, 6].map((number) => ({
      tag: `h${number}`,
      getAttrs: (element: HTMLElement) => ({
        level: Math.min(
          3,
          within(Number(element.getAttribute("data-level") ?? number), bounds.level),
        ),
      }),
    })),
  renderHTML({ node, HTMLAttributes }) {
    const level = within(node.attrs.level, [1, 3]);
    return [`h${level + 1}`, mergeAttributes(HTMLAttributes, { "data-level": level }), 0];
  },
  addKeyboardShortcuts() {
    return Object.fromEntries(
      levels.map((level) => [
        `Mod-Alt-${level}`,
        () => this.editor.commands.toggleNode("heading", "paragraph", { level }),
      ]),
    );
  },
  addInputRules() {
    return levels.map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^(#{${level}})\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    );
  },
});

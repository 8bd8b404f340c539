import { mergeAttributes, Node, wrappingInputRule } from "@tiptap/core";
import { TaskItem as TiptapTaskItem } from "@tiptap/extension-list/task-item";
import { bounds, within } from "./text-schema";

/**
 * A numbered list with a start number. Tiptap's own node has an attribute that the log does not
 * accept, and accepts unbounded numbers (docs/decisions/0016).
 */
export const OrderedList = Node.create({
  name: "orderedList",
  group: "block list",
  content: "listItem+",
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element: HTMLElement) =>
        within(Number(element.getAttribute("start") ?? 1), bounds.start),
      renderHTML: (attributes: Record<string, unknown>) => {
        const start = within(attributes.start, bounds.start);
        return start === 1 ? {} : { start };
      },
    },
  }),
  parseHTML: () => [{ tag: "ol" }],
  renderHTML: ({ HTMLAttributes }) => ["ol", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-7": () => this.editor.commands.toggleList("orderedList", "listItem") };
  },
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d+)\.\s$/,
        type: this.type,
        getAttributes: (match) => ({ start: Math.min(Number(match[1]), bounds.start[1]) }),
        joinPredicate: (match, list) => list.childCount + list.attrs.start === Number(match[1]),
      }),
    ];
  },
});

/**
 * A task. It has no node view, so that the server's HTML equals the editor's and the editor starts
 * without a layout shift. text-keymap.ts handles clicks on the checkbox.
 */
export const TaskItem = TiptapTaskItem.extend({
  addAttributes: () => ({
    checked: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element: HTMLElement) => element.getAttribute("data-checked") === "true",
      renderHTML: (attributes: Record<string, unknown>) => ({
        "data-checked": attributes.checked === true ? "true" : "false",
      }),
    },
  }),
  renderHTML({ node, HTMLAttributes }) {
    const box: Record<string, string> = { type: "checkbox", "aria-label": "Done", tabindex: "-1" };
    if (node.attrs.checked === true) box.checked = "";
    return [
      "li",
      mergeAttributes(HTMLAttributes, { "data-type": "taskItem" }),
      ["label", { contenteditable: "false" }, ["input", box]],
      ["div", 0],
    ];
  },
  addNodeView: null,
}).configure({ nested: true });

import { type Editor, Extension, mergeAttributes, Node, wrappingInputRule } from "@tiptap/core";
import { type EditorState, Plugin, type Transaction } from "@tiptap/pm/state";
import { bounds, within } from "./text-schema";

/*
 * The lists of a text. As with the marks (marks.ts), Tiptap's own bring readers and writers of Markdown that nothing here
 * uses; what keys do between items is still theirs (ListKeymap).
 */

/**
 * Delete before a nested list whose items hold lists again: its items come up to where the caret's item is. Joining them
 * into that item would leave what they hold without a parent.
 */
function hoistBranches(editor: Editor, item: string, lists: readonly string[]): boolean {
  const { selection, tr } = editor.state;
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parentOffset !== $from.parent.content.size)
    return false;
  let depth = $from.depth;
  while (depth > 0 && $from.node(depth).type.name !== item) depth -= 1;
  const nested = depth === 0 ? null : tr.doc.resolve($from.after()).nodeAfter;
  if (
    !nested ||
    !lists.includes(nested.type.name) ||
    $from.node(depth).maybeChild($from.index(depth) + 1) !== nested
  )
    return false;
  if (!nested.content.content.some((child) => child.type.name === item && child.childCount > 1))
    return false;
  tr.delete($from.after(), $from.after() + nested.nodeSize);
  tr.insert(tr.mapping.map($from.after(depth)), nested.content);
  editor.view.dispatch(tr.setSelection(selection.map(tr.doc, tr.mapping)));
  return true;
}

/** The keys of an item: the next one, further in, and out again. */
function itemKeys(item: string, lists: readonly string[]) {
  return {
    addKeyboardShortcuts(this: { editor: Editor }) {
      const { editor } = this;
      return {
        Enter: () => editor.commands.splitListItem(item),
        Tab: () => editor.commands.sinkListItem(item),
        "Shift-Tab": () => editor.commands.liftListItem(item),
      };
    },
    addExtensions: () => [
      Extension.create({
        name: `${item}Branches`,
        // Before what Delete does in any other list.
        priority: 101,
        addKeyboardShortcuts() {
          const hoist = () => hoistBranches(this.editor, item, lists);
          return { Delete: hoist, "Mod-Delete": hoist };
        },
      }),
    ],
  };
}

/** A list without an order. */
export const BulletList = Node.create({
  name: "bulletList",
  group: "block list",
  content: "listItem+",
  parseHTML: () => [{ tag: "ul" }],
  renderHTML: ({ HTMLAttributes }) => ["ul", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-8": () => this.editor.commands.toggleList("bulletList", "listItem") };
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*([-+*])\s$/, type: this.type })];
  },
});

/** The lines of a numbered list in plain text and its first number; null for other text. */
function numberedLines(text: string): { start: number; lines: string[] } | null {
  const found = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => /^\s*(\d{1,7})[.)]\s+(.+)$/.exec(line));
  const start = Number(found[0]?.[1]);
  const lines = found.flatMap((match, index) =>
    match?.[2] !== undefined && Number(match[1]) === start + index ? [match[2]] : [],
  );
  return lines.length > 0 && lines.length === found.length ? { start, lines } : null;
}

/** What makes a list of plain text that is one; null for other text, and within code, where it stays what it is. */
export function numberedPaste(
  { schema, selection, tr }: EditorState,
  text: string,
): Transaction | null {
  const list = selection.$from.parent.type.spec.code === true ? null : numberedLines(text);
  if (list === null) return null;
  const items = list.lines.map((words) =>
    schema.node("listItem", null, schema.node("paragraph", null, schema.text(words))),
  );
  return tr.replaceSelectionWith(schema.node("orderedList", { start: list.start }, items));
}

/** A numbered list, which begins at a number of its own. */
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
  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          handlePaste: (view, { clipboardData }) => {
            const rich = (clipboardData?.getData("text/html") ?? "").trim() !== "";
            const pasted = rich
              ? null
              : numberedPaste(view.state, clipboardData?.getData("text/plain") ?? "");
            if (pasted === null) return false;
            view.dispatch(pasted);
            return true;
          },
        },
      }),
    ];
  },
});

/** An item of a list with or without numbers. */
export const ListItem = Node.create({
  name: "listItem",
  content: "paragraph block*",
  defining: true,
  parseHTML: () => [{ tag: "li" }],
  renderHTML: ({ HTMLAttributes }) => ["li", HTMLAttributes, 0],
  ...itemKeys("listItem", ["bulletList", "orderedList"]),
});

/** A list of things to do. */
export const TaskList = Node.create({
  name: "taskList",
  group: "block list",
  content: "taskItem+",
  parseHTML: () => [{ tag: 'ul[data-type="taskList"]', priority: 51 }],
  renderHTML: ({ HTMLAttributes }) => [
    "ul",
    mergeAttributes(HTMLAttributes, { "data-type": "taskList" }),
    0,
  ],
  addKeyboardShortcuts() {
    return { "Mod-Shift-9": () => this.editor.commands.toggleList("taskList", "taskItem") };
  },
});

/**
 * A thing to do. It has no node view: the server's HTML and the editor's are the same, so that the editor takes
 * over without moving anything; the click on the box is handled in text-keymap.ts.
 */
export const TaskItem = Node.create({
  name: "taskItem",
  content: "paragraph block*",
  defining: true,
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
  parseHTML: () => [
    {
      tag: 'li[data-type="taskItem"]',
      priority: 51,
      contentElement: (element: HTMLElement) =>
        element.querySelector<HTMLElement>("div") ?? element,
    },
  ],
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
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^\s*(\[([( |x])?\])\s$/,
        type: this.type,
        getAttributes: (match) => ({ checked: match.at(-1) === "x" }),
      }),
    ];
  },
  ...itemKeys("taskItem", ["taskList"]),
});

import { type Editor, Node } from "@tiptap/core";
import type { Node as TextNode } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { bounds, within } from "./text-schema";

/*
 * The nodes of tables, without what edits them: that code is half of what the other blocks need
 * together, and is fetched when a text has a table (tables-on-demand.ts).
 */

function span(name: "colspan" | "rowspan") {
  return {
    default: 1,
    parseHTML: (element: HTMLElement) =>
      within(Number(element.getAttribute(name) ?? 1), bounds.span),
    renderHTML: (attributes: Record<string, unknown>) => {
      const cells = within(attributes[name], bounds.span);
      return cells === 1 ? {} : { [name]: cells };
    },
  };
}

const cellAttributes = {
  colspan: span("colspan"),
  rowspan: span("rowspan"),
  // prosemirror-tables expects the attribute; widths are not ours to keep.
  colwidth: { default: null, rendered: false, parseHTML: () => null },
};

// By these roles prosemirror-tables knows the nodes.
const roles: Record<string, string> = {
  table: "table",
  tableRow: "row",
  tableCell: "cell",
  tableHeader: "header_cell",
};

/** A table in a box of its own that scrolls sideways on a narrow screen. */
export const Table = Node.create({
  name: "table",
  content: "tableRow+",
  isolating: true,
  group: "block",
  parseHTML: () => [{ tag: "table" }],
  renderHTML({ HTMLAttributes }) {
    return ["div", { class: "table" }, ["table", HTMLAttributes, ["tbody", 0]]];
  },
  extendNodeSchema: ({ name }): Record<string, string> => {
    const tableRole = roles[name];
    return tableRole === undefined ? {} : { tableRole };
  },
});

/** A row of a table. */
export const TableRow = Node.create({
  name: "tableRow",
  content: "(tableCell | tableHeader)*",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: ({ HTMLAttributes }) => ["tr", HTMLAttributes, 0],
});

function cell(name: "tableCell" | "tableHeader", tag: "td" | "th") {
  return Node.create({
    name,
    content: "block+",
    isolating: true,
    addAttributes: () => cellAttributes,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });
}

/** A cell of a table. */
export const TableCell = cell("tableCell", "td");

/** A cell that heads its row or column. */
export const TableHeader = cell("tableHeader", "th");

/** Puts a table of three by three with a heading row where the caret is, and the caret into its first cell. */
export function insertTable(editor: Editor): boolean {
  const { table, tableRow, tableHeader, tableCell } = editor.schema.nodes;
  const made = (type = tableCell) =>
    Array.from({ length: 3 }, () => type?.createAndFill()).filter(
      (node): node is TextNode => !!node,
    );
  const rows = [made(tableHeader), made(), made()]
    .map((cells) => tableRow?.create(null, cells))
    .filter((row) => row !== undefined);
  return editor
    .chain()
    .focus()
    .command(({ tr }) => {
      const start = tr.selection.from + 1;
      if (table === undefined) return false;
      tr.replaceSelectionWith(table.create(null, rows))
        .scrollIntoView()
        .setSelection(TextSelection.near(tr.doc.resolve(start)));
      return true;
    })
    .run();
}

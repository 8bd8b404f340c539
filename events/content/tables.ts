import { Node } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import type { Node as TextNode } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { bounds, within } from "./text-schema";

/*
 * The table nodes without their editing code. That code is half as large as the code of all other
 * blocks, and is loaded when a text has a table (tables-on-demand.ts).
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
  // prosemirror-tables expects this attribute. Column widths are not stored.
  colwidth: { default: null, rendered: false, parseHTML: () => null },
};

// The roles by which prosemirror-tables recognizes the nodes.
const roles: Record<string, string> = {
  table: "table",
  tableRow: "row",
  tableCell: "cell",
  tableHeader: "header_cell",
};

/** A table in a container that scrolls sideways on a narrow screen. */
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

export const TableCell = cell("tableCell", "td");

/** A header cell of a row or column. */
export const TableHeader = cell("tableHeader", "th");

/**
 * Inserts a three-by-three table with a heading row at the caret, and moves the caret into the
 * first cell.
 */
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

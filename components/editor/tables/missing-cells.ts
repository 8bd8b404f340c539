import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { EditorView } from "@tiptap/pm/view";
import { fillRow } from "./even-tables";
import { hasNoSpans, widthOf } from "./table-shape";

/** Creates a placeholder for a missing cell, which is rendered but not part of the text. */
function missingCell(column: number): () => HTMLElement {
  return () => {
    const cell = document.createElement("td");
    cell.contentEditable = "false";
    cell.dataset.missing = String(column);
    return cell;
  };
}

function missingIn(table: Node, start: number, found: Decoration[]): void {
  if (!hasNoSpans(table)) return;
  const width = widthOf(table);
  table.forEach((row, offset) => {
    for (let column = row.childCount; column < width; column += 1)
      found.push(
        Decoration.widget(start + offset + row.nodeSize - 1, missingCell(column), {
          side: column + 1,
          key: `missing-${column}`,
          ignoreSelection: true,
        }),
      );
  });
}

function missingInText(doc: Node): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, at) => {
    if (node.type.name !== "table") return !node.isTextblock;
    missingIn(node, at + 1, found);
    return true;
  });
  return DecorationSet.create(doc, found);
}

/** Adds a missing cell to the text when the person clicks it. */
function fillAt(view: EditorView, cell: HTMLElement): boolean {
  const row = cell.closest("tr");
  const column = Number(cell.dataset.missing);
  if (row === null || !view.editable) return false;
  const $row = view.state.doc.resolve(view.posAtDOM(row, 0));
  if ($row.parent.type.name !== "tableRow") return false;
  const { tr } = view.state;
  fillRow(tr, $row.node(-1), $row.start(-1), $row.index(-1), column);
  view.dispatch(tr.scrollIntoView());
  view.focus();
  return true;
}

const key = new PluginKey<DecorationSet>("missingCells");

/** Renders placeholders for the cells that rows lack after concurrent changes of columns. */
export const missingCells = new Plugin<DecorationSet>({
  key,
  state: {
    init: (_config, { doc }) => missingInText(doc),
    apply: (transaction, shown) =>
      transaction.docChanged ? missingInText(transaction.doc) : shown,
  },
  props: {
    decorations: (state) => key.getState(state),
    handleDOMEvents: {
      mousedown: (view, event) => {
        const { target } = event;
        const cell = target instanceof Element ? target.closest("td[data-missing]") : null;
        if (!(cell instanceof HTMLElement)) return false;
        event.preventDefault();
        return fillAt(view, cell);
      },
    },
  },
});

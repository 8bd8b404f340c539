import { findParentNode } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { keydownHandler } from "@tiptap/pm/keymap";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { Command, EditorState, Transaction } from "@tiptap/pm/state";
import { CellSelection, deleteTable, goToNextCell, isInTable } from "@tiptap/pm/tables";
import { cellEditing } from "./cell-editing";
import { addMissingCell, evenCommands } from "./even-tables";
import { missingCells } from "./missing-cells";

/** The commands on the table around the caret. */
export const tableCommands = {
  ...evenCommands,
  deleteTable,
} satisfies Record<string, Command>;

const nextCell: Command = (state, dispatch, view) => {
  if (addMissingCell(state, dispatch) || goToNextCell(1)(state, dispatch)) return true;
  // In the last cell, Tab adds a row.
  if (!evenCommands.addRowAfter(state, dispatch)) return false;
  if (view) goToNextCell(1)(view.state, dispatch);
  return true;
};

/** In the first cell, the caret does not move. */
const previousCell: Command = (state, dispatch) =>
  goToNextCell(-1)(state, dispatch) || isInTable(state);

const removeWhole: Command = (state, dispatch) => {
  const { selection } = state;
  return (
    selection instanceof CellSelection &&
    selection.isColSelection() &&
    selection.isRowSelection() &&
    deleteTable(state, dispatch)
  );
};

/** Adds an empty paragraph after a table that ends the text. The caret moves to the paragraph. */
function paragraphBelow({ schema, tr, doc }: EditorState): Transaction {
  const end = doc.content.size;
  tr.insert(end, schema.node("paragraph"));
  return tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView();
}

const endsInTable = ({ doc }: EditorState) => doc.lastChild?.type.name === "table";

/** Moves from the last line of a table that ends the text to a new paragraph below the table. */
export const leaveBelow: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection;
  const table = findParentNode(({ type }) => type.name === "table")(state.selection);
  if (!empty || table === undefined || !endsInTable(state) || $head.depth < table.depth + 3)
    return false;
  const { depth } = table;
  const isLast = (at: number) => $head.index(at) === $head.node(at).childCount - 1;
  // Checks the table among the blocks, its row, and the block in the cell.
  if (![0, depth, depth + 2].every(isLast)) return false;
  if (view && !view.endOfTextblock("down")) return false;
  dispatch?.(paragraphBelow(state));
  return true;
};

/** A click below a table that ends the text also adds a paragraph there. */
const clicksBelow = new Plugin({
  props: {
    handleClick: (view, _, { clientY }) => {
      const last = view.dom.lastElementChild?.getBoundingClientRect();
      if (!endsInTable(view.state) || !last || clientY <= last.bottom || !view.editable)
        return false;
      view.dispatch(paragraphBelow(view.state));
      return true;
    },
  },
});

const bindings = keydownHandler({
  ArrowDown: leaveBelow,
  Tab: nextCell,
  "Shift-Tab": previousCell,
  Backspace: removeWhole,
  "Mod-Backspace": removeWhole,
  Delete: removeWhole,
  "Mod-Delete": removeWhole,
});

/** `walksCells` marks an editor in which Tab moves between cells. */
const keys = new Plugin({ walksCells: true, props: { handleKeyDown: bindings } });

/** Enables selecting and repairing table cells, and moving between them, in an editor. */
export function enableTables(editor: Editor): void {
  // Added together, because each new plugin redraws the text.
  editor.view.updateState(
    editor.state.reconfigure({
      plugins: [...editor.state.plugins, keys, clicksBelow, missingCells, cellEditing()],
    }),
  );
}

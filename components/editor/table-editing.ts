import { findParentNode, type Editor } from "@tiptap/core";
import { keymap } from "@tiptap/pm/keymap";
import { TextSelection, type Command } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  CellSelection,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  tableEditing,
  toggleHeader,
} from "@tiptap/pm/tables";

/** Leaves the caret in the table whose last row or column it stood in. */
function staying(remove: Command): Command {
  return (state, dispatch) => {
    const table = findParentNode(({ type }) => type.name === "table")(state.selection);
    return remove(
      state,
      dispatch &&
        ((tr) => {
          const place = table === undefined ? 0 : tr.mapping.map(table.pos);
          const left = table === undefined ? null : tr.doc.nodeAt(place);
          const inside =
            findParentNode(({ type }) => type.name === "table")(tr.selection)?.pos === place;
          if (left?.type.name === "table" && !inside)
            tr.setSelection(TextSelection.near(tr.doc.resolve(place + left.nodeSize - 1), -1));
          dispatch(tr);
        }),
    );
  };
}

/** What can be done with the table around the caret. */
export const tableCommands = {
  addRowBefore,
  addRowAfter,
  addColumnBefore,
  addColumnAfter,
  toggleHeaderRow: toggleHeader("row"),
  deleteRow: staying(deleteRow),
  deleteColumn: staying(deleteColumn),
  deleteTable,
} satisfies Record<string, Command>;

const nextCell: Command = (state, dispatch, view) => {
  if (goToNextCell(1)(state, dispatch)) return true;
  // Past the last cell there is a new row.
  if (!addRowAfter(state, dispatch)) return false;
  if (view) goToNextCell(1)(view.state, dispatch);
  return true;
};

const removeWhole: Command = (state, dispatch) => {
  const { selection } = state;
  return (
    selection instanceof CellSelection &&
    selection.isColSelection() &&
    selection.isRowSelection() &&
    deleteTable(state, dispatch)
  );
};

const keys = keymap({
  Tab: nextCell,
  "Shift-Tab": goToNextCell(-1),
  Backspace: removeWhole,
  "Mod-Backspace": removeWhole,
  Delete: removeWhole,
  "Mod-Delete": removeWhole,
});

/** Lets an editor select, mend and walk through the cells of its tables from now on. */
export function enableTables(editor: Editor): void {
  // Both at once: with new plugins the editor draws its text anew.
  editor.view.updateState(
    editor.state.reconfigure({ plugins: [...editor.state.plugins, keys, tableEditing()] }),
  );
}

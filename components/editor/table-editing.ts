import { findParentNode, type Editor } from "@tiptap/core";
import { keymap } from "@tiptap/pm/keymap";
import {
  Plugin,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from "@tiptap/pm/state";
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

/** Puts an empty paragraph behind a table that ends the text, with the caret in it. */
function paragraphBelow({ schema, tr, doc }: EditorState): Transaction {
  const end = doc.content.size;
  tr.insert(end, schema.node("paragraph"));
  return tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView();
}

const endsInTable = ({ doc }: EditorState) => doc.lastChild?.type.name === "table";

/** Leads from the last line of a table that ends the text to a paragraph below it. */
export const leaveBelow: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection;
  const table = findParentNode(({ type }) => type.name === "table")(state.selection);
  if (!empty || table === undefined || !endsInTable(state) || $head.depth < table.depth + 3)
    return false;
  const { depth } = table;
  const isLast = (at: number) => $head.index(at) === $head.node(at).childCount - 1;
  // The table among the blocks, its row, and what stands in the cell.
  if (![0, depth, depth + 2].every(isLast)) return false;
  if (view && !view.endOfTextblock("down")) return false;
  dispatch?.(paragraphBelow(state));
  return true;
};

/** A click below a table that ends the text leads there as well. */
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

const keys = keymap({
  ArrowDown: leaveBelow,
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
    editor.state.reconfigure({
      plugins: [...editor.state.plugins, keys, clicksBelow, tableEditing()],
    }),
  );
}

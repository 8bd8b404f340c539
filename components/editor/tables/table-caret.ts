import { type Command, TextSelection, type Transaction } from "@tiptap/pm/state";
import { isInTable, selectedRect, TableMap } from "@tiptap/pm/tables";

/** Puts the caret into the cell of a row and column, or into the nearest one that the table has. */
function moveCaret(tr: Transaction, tableStart: number, row: number, column: number): void {
  const table = tr.doc.nodeAt(tableStart - 1);
  if (table?.type.name !== "table") return;
  const { map, width, height } = TableMap.get(table);
  const cell = map[Math.min(row, height - 1) * width + Math.min(column, width - 1)];
  if (cell !== undefined)
    tr.setSelection(TextSelection.near(tr.doc.resolve(tableStart + cell + 1)));
}

/**
 * Has a command that deletes rows or columns put the caret where they were: into the row or column
 * that takes their place, and stay in the column or row that the caret was in.
 */
export function keepingPlace(command: Command): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { tableStart, top, left } = selectedRect(state);
    return command(
      state,
      dispatch &&
        ((tr) => {
          moveCaret(tr, tableStart, top, left);
          dispatch(tr);
        }),
    );
  };
}

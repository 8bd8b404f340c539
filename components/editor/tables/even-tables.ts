import type { Node, NodeType } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Command, Transaction } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn as deleteSpannedColumn,
  deleteRow as deleteSpannedRow,
  fixTables,
  tableNodeTypes,
  toggleHeader,
} from "@tiptap/pm/tables";
import { cellStart, hasNoSpans, isUneven, rowStart, tablePlace, widthOf } from "./table-shape";
import type { TablePlace } from "./table-shape";

/*
 * Two people who change rows and columns concurrently leave a table whose rows have different
 * lengths. No page repairs the table on its own, because concurrent repairs would add up. These
 * commands work on such a table as it is. A cell missing at the end of a row counts as empty.
 */

type Change = (tr: Transaction, place: TablePlace) => boolean;

/**
 * Runs a change on a table without spans. On a table with spans, repairs the table and runs the
 * prosemirror-tables command.
 */
function changing(change: Change, spanned: Command): Command {
  return (state, dispatch, view) => {
    const place = tablePlace(state);
    if (place === null) return false;
    if (!hasNoSpans(place.table)) return mending(spanned)(state, dispatch, view);
    const { tr } = state;
    if (!change(tr, place)) return false;
    dispatch?.(tr);
    return true;
  };
}

/** Repairs the table around the selection as part of a command. */
export function mending(command: Command): Command {
  return (state, dispatch, view) => {
    const place = tablePlace(state);
    const mended = place !== null && isUneven(place.table) ? mendedState(state) : null;
    if (mended === null) return command(state, dispatch, view);
    const { fix, state: even } = mended;
    return command(
      even,
      dispatch &&
        ((tr) => {
          for (const step of tr.steps) fix.step(step);
          if (tr.selectionSet)
            fix.setSelection(tr.selection.map(fix.doc, fix.mapping.slice(fix.mapping.maps.length)));
          dispatch(fix.scrollIntoView());
        }),
      view,
    );
  };
}

function mendedState(state: EditorState): { fix: Transaction; state: EditorState } | null {
  const fix = fixTables(state);
  return fix
    ? { fix, state: EditorState.create({ doc: fix.doc, selection: fix.selection }) }
    : null;
}

const cellTypes = (table: Node) => tableNodeTypes(table.type.schema);
const isHeadingRow = (row: Node | undefined, heading: NodeType) =>
  row !== undefined &&
  row.childCount > 0 &&
  row.content.content.every(({ type }) => type === heading);

/** Moves the caret to a cell, or to the last cell of its row. */
function moveCaret(tr: Transaction, start: number, row: number, column: number): void {
  const table = tr.doc.nodeAt(start - 1);
  if (table?.type.name !== "table") return;
  const at = Math.min(row, table.childCount - 1);
  const cell = cellStart(table, start, at, Math.min(column, table.child(at).childCount - 1));
  tr.setSelection(TextSelection.near(tr.doc.resolve(cell + 1)));
}

/** Makes a command that deletes rows or columns move the caret to those that replace them. */
function keepingPlace(command: Command): Command {
  return (state, dispatch) => {
    const place = tablePlace(state);
    if (place === null) return false;
    const { start, range } = place;
    return command(
      state,
      dispatch &&
        ((tr) => {
          moveCaret(tr, start, range.top, range.left);
          dispatch(tr);
        }),
    );
  };
}

const addRow =
  (side: "top" | "bottom"): Change =>
  (tr, { table, start, range }) => {
    const { cell, header_cell: heading, row: rowType } = cellTypes(table);
    const at = range[side];
    // New cells copy the type of those above, but no second header row is added below the first.
    const above = table.maybeChild(at === 0 ? 0 : at - 1) ?? undefined;
    const pattern = isHeadingRow(above, heading)
      ? at === 0
        ? undefined
        : table.maybeChild(at)
      : above;
    const cells = Array.from({ length: widthOf(table) }, (_, column) =>
      (pattern?.maybeChild(column)?.type ?? cell).createAndFill(),
    ).filter((made) => made !== null);
    tr.insert(rowStart(table, start, at) - 1, rowType.create(null, cells));
    return true;
  };

const addColumn =
  (side: "left" | "right"): Change =>
  (tr, { table, start, range }) => {
    const { cell, header_cell: heading } = cellTypes(table);
    const at = range[side];
    // From the last row to the first, so that no insertion moves a later one.
    for (let row = table.childCount - 1; row >= 0; row -= 1) {
      const cells = table.child(row);
      // A row that ends before the column is already empty there.
      if (cells.childCount < at) continue;
      const type = isHeadingRow(cells, heading) ? heading : cell;
      const made = type.createAndFill();
      if (made) tr.insert(cellStart(table, start, row, at), made);
    }
    return true;
  };

const deleteRow: Change = (tr, { table, start, range: { top, bottom, left } }) => {
  if (top === 0 && bottom === table.childCount) return false;
  tr.delete(rowStart(table, start, top) - 1, rowStart(table, start, bottom) - 1);
  moveCaret(tr, start, top, left);
  return true;
};

const deleteColumn: Change = (tr, { table, start, range: { top, left, right } }) => {
  if (left === 0 && right === widthOf(table)) return false;
  for (let row = table.childCount - 1; row >= 0; row -= 1) {
    const cells = table.child(row);
    if (cells.childCount <= left) continue;
    const [from, to] = [cellStart(table, start, row, left), cellStart(table, start, row, right)];
    // A row keeps at least one cell.
    const isAll = left === 0 && cells.childCount <= right;
    const rest = isAll ? cells.firstChild?.type.createAndFill() : null;
    if (rest) tr.replaceWith(from, to, rest);
    else tr.delete(from, to);
  }
  moveCaret(tr, start, top, left);
  return true;
};

const toggleHeaderRow: Change = (tr, { table, start }) => {
  const { cell, header_cell: heading } = cellTypes(table);
  const type = isHeadingRow(table.firstChild ?? undefined, heading) ? cell : heading;
  table.firstChild?.forEach((node, offset) =>
    tr.setNodeMarkup(start + 1 + offset, type, node.attrs),
  );
  return true;
};

const addNextCell: Change = (tr, { table, start, range: { top, right } }) => {
  const row = table.child(top);
  if (right !== row.childCount || right >= widthOf(table)) return false;
  fillRow(tr, table, start, top, right);
  return true;
};

/** Adds the missing cells of a row up to a column. The caret moves to the last one. */
export function fillRow(
  tr: Transaction,
  table: Node,
  start: number,
  row: number,
  column: number,
): void {
  const { cell, header_cell: heading } = cellTypes(table);
  const cells = table.child(row);
  const type = isHeadingRow(cells, heading) ? heading : cell;
  const made = Array.from({ length: column + 1 - cells.childCount }, () =>
    type.createAndFill(),
  ).filter((one) => one !== null);
  tr.insert(rowStart(table, start, row) + cells.content.size, made);
  moveCaret(tr, start, row, column);
}

/** The commands on the rows and columns of the table around the selection. */
export const evenCommands = {
  addRowBefore: changing(addRow("top"), addRowBefore),
  addRowAfter: changing(addRow("bottom"), addRowAfter),
  addColumnBefore: changing(addColumn("left"), addColumnBefore),
  addColumnAfter: changing(addColumn("right"), addColumnAfter),
  toggleHeaderRow: changing(toggleHeaderRow, toggleHeader("row")),
  deleteRow: changing(deleteRow, keepingPlace(deleteSpannedRow)),
  deleteColumn: changing(deleteColumn, keepingPlace(deleteSpannedColumn)),
} satisfies Record<string, Command>;

const never: Command = () => false;

/** Adds the next missing cell of the caret's row. The caret moves to this cell. */
export const addMissingCell: Command = changing(addNextCell, never);

import type { Node, ResolvedPos } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import { isCell } from "../turning/touched-blocks";

/** A range of rows and columns. `bottom` and `right` are exclusive. */
export type CellRange = { top: number; bottom: number; left: number; right: number };

/** A table, the position of its first row, and the selected cells. */
export type TablePlace = { table: Node; start: number; range: CellRange };

function cellDepth($at: ResolvedPos): number | null {
  for (let depth = $at.depth; depth > 0; depth -= 1) if (isCell($at.node(depth))) return depth;
  return null;
}

/** Returns the table around the selection, by row and cell index, or null outside tables. */
export function tablePlace({ selection }: EditorState): TablePlace | null {
  if (selection instanceof CellSelection) {
    const { $anchorCell, $headCell } = selection;
    const [rows, columns] = [
      [$anchorCell.index(-1), $headCell.index(-1)],
      [$anchorCell.index(), $headCell.index()],
    ] as const;
    return {
      table: $headCell.node(-1),
      start: $headCell.start(-1),
      range: {
        top: Math.min(...rows),
        bottom: Math.max(...rows) + 1,
        left: Math.min(...columns),
        right: Math.max(...columns) + 1,
      },
    };
  }
  const { $head } = selection;
  const depth = cellDepth($head);
  if (depth === null) return null;
  const [row, column] = [$head.index(depth - 2), $head.index(depth - 1)];
  return {
    table: $head.node(depth - 2),
    start: $head.start(depth - 2),
    range: { top: row, bottom: row + 1, left: column, right: column + 1 },
  };
}

/** Returns the number of cells of the longest row. */
export const widthOf = (table: Node): number =>
  table.content.content.reduce((most, row) => Math.max(most, row.childCount), 0);

/** Whether no cell of a table has a span, so that a column equals the cell's index in its row. */
export const hasNoSpans = (table: Node): boolean =>
  table.content.content.every((row) =>
    row.content.content.every(({ attrs }) => attrs.colspan === 1 && attrs.rowspan === 1),
  );

/** Whether the rows of a table differ in length, or spans collide. */
export const isUneven = (table: Node): boolean =>
  hasNoSpans(table)
    ? table.content.content.some(({ childCount }) => childCount !== table.firstChild?.childCount)
    : TableMap.get(table).problems !== null;

/** Returns the position of a row's content. */
export function rowStart(table: Node, start: number, row: number): number {
  let at = start + 1;
  for (let before = 0; before < row; before += 1) at += table.child(before).nodeSize;
  return at;
}

/** Returns the position of a cell, or the end of its row if the row lacks the cell. */
export function cellStart(table: Node, start: number, row: number, column: number): number {
  const cells = table.child(row);
  let at = rowStart(table, start, row);
  for (let before = 0; before < Math.min(column, cells.childCount); before += 1)
    at += cells.child(before).nodeSize;
  return at;
}

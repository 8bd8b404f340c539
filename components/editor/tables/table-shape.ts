import type { Node, ResolvedPos } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import { isCell } from "../turning/touched-blocks";

/** Rows and columns of a table, from the first up to the one that is no longer meant. */
export type CellRange = { top: number; bottom: number; left: number; right: number };

/** A table, where its rows begin, and the cells of the selection in it. */
export type TablePlace = { table: Node; start: number; range: CellRange };

function cellDepth($at: ResolvedPos): number | null {
  for (let depth = $at.depth; depth > 0; depth -= 1) if (isCell($at.node(depth))) return depth;
  return null;
}

/** The table around the selection, by the order of its rows and of the cells in them; null outside of tables. */
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

/** How many cells the longest row of a table has. */
export const widthOf = (table: Node): number =>
  table.content.content.reduce((most, row) => Math.max(most, row.childCount), 0);

/** Whether no cell of a table spans others: its columns are the order of the cells in each row then. */
export const hasNoSpans = (table: Node): boolean =>
  table.content.content.every((row) =>
    row.content.content.every(({ attrs }) => attrs.colspan === 1 && attrs.rowspan === 1),
  );

/** Whether rows of a table are of different lengths, or spans of its cells meet. */
export const isUneven = (table: Node): boolean =>
  hasNoSpans(table)
    ? table.content.content.some(({ childCount }) => childCount !== table.firstChild?.childCount)
    : TableMap.get(table).problems !== null;

/** Where the content of a row begins, by a position in its table. */
export function rowStart(table: Node, start: number, row: number): number {
  let at = start + 1;
  for (let before = 0; before < row; before += 1) at += table.child(before).nodeSize;
  return at;
}

/** Where a cell begins, or where it would behind the last of its row. */
export function cellStart(table: Node, start: number, row: number, column: number): number {
  const cells = table.child(row);
  let at = rowStart(table, start, row);
  for (let before = 0; before < Math.min(column, cells.childCount); before += 1)
    at += cells.child(before).nodeSize;
  return at;
}

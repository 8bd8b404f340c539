import type { Element, ElementContent } from "hast";
import type { Handle, State } from "hast-util-to-mdast";
import type { Nodes, RootContent, TableCell, TableRow } from "mdast";
import { bounds, within } from "@/events/content/text-schema";
import { isWords } from "./words-of-tree";

declare module "mdast" {
  interface TableCellData {
    isHead?: boolean;
    colspan?: number;
    rowspan?: number;
  }
}

type Row = { cells: Element[]; section: ElementContent };
type Parts = { rows: Row[]; around: ElementContent[] };

/** Splits a table into its rows and other content, which browsers show before the table. */
function partsOf(table: Element): Parts {
  const parts: Parts = { rows: [], around: [] };
  const walk = (part: Element) => {
    for (const child of part.children) {
      const name = child.type === "element" ? child.tagName : "";
      if (child.type !== "element") parts.around.push(child);
      else if (/^t(?:head|body|foot)$/.test(name)) walk(child);
      else if (name === "tr") {
        const isCell = (one: ElementContent): one is Element =>
          one.type === "element" && /^t[dh]$/.test(one.tagName);
        parts.rows.push({ cells: child.children.filter(isCell), section: part });
        for (const one of child.children) if (!isCell(one)) parts.around.push(one);
      } else if (name === "td" || name === "th") parts.rows.push({ cells: [child], section: part });
      else parts.around.push(child);
    }
  };
  walk(table);
  return parts;
}

function contentOf(state: State, one: Element): RootContent[] {
  const content = state.all(one);
  return content.every(isWords) ? content : state.toFlow(content);
}

/** The most grid cells that are tracked, because a few table cells can span very many. */
const mostPlaces = 200_000;

type Reach = { colspan: number; rowspan: number };

/** Returns the extent of each cell: its declared spans, up to the next cell in the way. */
function reaches(rows: readonly Row[]): Map<Element, Reach> | null {
  const reach = new Map<Element, Reach>();
  const taken = rows.map(() => new Set<number>());
  let places = 0;
  for (const [at, { cells, section }] of rows.entries()) {
    let column = 0;
    let below = 0;
    while (rows[at + below]?.section === section) below += 1;
    for (const cell of cells) {
      while (taken[at]?.has(column)) column += 1;
      const { colSpan, rowSpan } = cell.properties;
      const wide = within(Number(colSpan ?? 1), bounds.span);
      // A row span of 0 extends to the end of the section.
      const tall = Number(rowSpan ?? 1) === 0 ? below : within(Number(rowSpan ?? 1), bounds.span);
      const rowspan = Math.max(1, Math.min(tall, below, bounds.span[1]));
      let colspan = 1;
      const isFree = (where: number) =>
        Array.from({ length: rowspan }, (_, down) => taken[at + down]?.has(where)).every(
          (is) => is !== true,
        );
      while (colspan < wide && isFree(column + colspan)) colspan += 1;
      places += colspan * rowspan;
      if (places > mostPlaces + reach.size) return null;
      for (let down = 0; down < rowspan; down += 1)
        for (let right = 0; right < colspan; right += 1) taken[at + down]?.add(column + right);
      reach.set(cell, { colspan, rowspan });
      column += colspan;
    }
  }
  return reach;
}

/** Reads tables with their merged cells, which mdast cannot represent. */
export function tableHandle(left: (what: string) => void): Handle {
  return (state, table: Element) => {
    const { rows, around } = partsOf(table);
    const cells = rows.flatMap((row) => row.cells);
    const before = state.all({ ...table, children: around });
    const isLayout =
      cells.length === 0 || /^(?:presentation|none)$/.test(String(table.properties.role ?? ""));
    // A table within a table is usually layout.
    if (isLayout || state.inTable)
      return [
        ...state.toFlow(before),
        ...cells.flatMap((cell) => state.toFlow(state.all(cell))),
      ] as Nodes[] as RootContent[];
    state.inTable = true;
    const reach = reaches(rows);
    const isMerged = ({ properties: { colSpan, rowSpan } }: Element) =>
      Number(colSpan ?? 1) !== 1 || Number(rowSpan ?? 1) !== 1;
    if (reach === null && cells.some(isMerged)) left("tables whose merged cells came apart");
    const made = rows.map(({ cells: inRow }): TableRow => ({
      type: "tableRow",
      children: inRow.map((cell): TableCell => ({
        type: "tableCell",
        // Our cells hold blocks as well as words, which this tree's reader supports.
        children: contentOf(state, cell) as TableCell["children"],
        data: { isHead: cell.tagName === "th", ...reach?.get(cell) },
      })),
    }));
    state.inTable = false;
    return [...state.toFlow(before), { type: "table", children: made }];
  };
}

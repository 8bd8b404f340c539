import type { Element } from "hast";
import { styleOf } from "./styles";
import { attribute, element, found, has, isBlank, isElement, rewritten, wordsIn } from "./tree";
import type { Markup } from "./tree";

function rowsOf(table: Element): Element[] {
  return table.children
    .filter(isElement)
    .flatMap((part) => (part.tagName === "tr" ? [part] : rowsOf(part)))
    .filter(({ tagName }) => tagName === "tr");
}

const cellsOf = (row: Element) =>
  row.children.filter(isElement).filter(({ tagName }) => /^t[dh]$/.test(tagName));

/** Whether a table is only layout, as in mail, or a single cell. */
function isLayout(table: Element, cells: readonly Element[]): boolean {
  return cells.length <= 1 || /^(?:presentation|none)$/.test(attribute(table, "role"));
}

function isBold(cell: Element): boolean {
  const weight = styleOf(cell).get("font-weight") ?? "";
  if (/^(?:bold|[6-9]00)/.test(weight)) return true;
  const inner = found(cell, ({ tagName }) => tagName === "b" || tagName === "strong");
  return inner !== null && wordsIn(inner).trim() === wordsIn(cell).trim();
}

/** Makes the first row of a sheet a heading if it is the only row that is entirely bold. */
function withHeading(table: Element): Element {
  const [first, ...rest] = rowsOf(table);
  if (first === undefined || rest.length === 0) return table;
  const isHeading = (row: Element) =>
    cellsOf(row).every((cell) => !isBlank(wordsIn(cell)) && isBold(cell));
  if (!isHeading(first) || rest.some(isHeading)) return table;
  const heading = new Set([first, ...cellsOf(first)]);
  const name = (part: Element): Element =>
    heading.has(part)
      ? {
          ...part,
          tagName: part.tagName === "td" ? "th" : part.tagName,
          children: part.children.map(named),
        }
      : { ...part, children: part.children.map(named) };
  const named = (node: Markup) => (isElement(node) ? name(node) : node);
  return name(table);
}

/**
 * Turns tables of programs and pages into words, blocks, or tables with a heading, according to
 * what they hold.
 */
export function withTables(page: Element, isSheet: boolean): Element {
  return rewritten(page, (node) => {
    if (!isElement(node) || node.tagName !== "table") return null;
    const cells = rowsOf(node).flatMap(cellsOf);
    if (isLayout(node, cells))
      return isSheet && cells[0]
        ? cells[0].children
        : cells.map((cell) => element("div", cell.children));
    const captions = node.children.filter(isElement).filter(({ tagName }) => tagName === "caption");
    const unwanted = new Set(["caption", "colgroup", "col"]);
    const children = node.children.filter(
      (child) => !isElement(child) || !unwanted.has(child.tagName),
    );
    const table = { ...node, children };
    return [
      ...captions.map((one) => element("p", one.children)),
      isSheet ? withHeading(table) : table,
    ];
  });
}

/** Whether a page was copied from a spreadsheet: its metadata says so, or it is a single table. */
export function isSheet(page: Element): boolean {
  const evidence = found(
    page,
    (one) =>
      one.tagName === "google-sheets-html-origin" ||
      has(one, "data-sheets-root") ||
      has(one, "sdnum") ||
      has(one, "sdval") ||
      (one.tagName === "meta" && /excel|calc|spreadsheet/i.test(attribute(one, "content"))),
  );
  return evidence !== null;
}

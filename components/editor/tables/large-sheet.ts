import { shownHtml } from "../paste/html-words";

/** Maximum number of cells of a pasted table. In a larger table, each key takes noticeably long. */
export const mostCells = 1_000;

/** Returns the number of cells of HTML that consists only of tables, or 0 for other HTML. */
function cellsOf(html: string): number {
  const shown = shownHtml(html);
  const [from, to] = [shown.search(/<table[\s>]/i), shown.toLowerCase().lastIndexOf("</table>")];
  if (from < 0 || to < from) return 0;
  const around = shown.slice(0, from) + shown.slice(to);
  if (around.replace(/<[^<>]*>|&nbsp;/g, "").trim() !== "") return 0;
  return shown.match(/<t[dh][\s>]/gi)?.length ?? 0;
}

/**
 * Returns the rows of a sheet from the plain text that spreadsheets copy. A cell of several lines
 * is quoted in this text.
 */
function rowsOf(plain: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n?|\n|$)/y;
  while (cell.lastIndex < plain.length) {
    const [found = "", quoted, bare = "", end] = cell.exec(plain) ?? [];
    if (found === "") break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end !== "\t" && cell.lastIndex < plain.length) rows.push([]);
  }
  return rows;
}

const csvCell = (words: string) =>
  /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;

/**
 * Returns a sheet that is too large for a table as a CSV file with all of its cells, and the
 * sentence that reports the file.
 */
export function largeSheet(html: string, plain: string): { file: File; sentence: string } | null {
  if (plain.trim() === "" || !/<table[\s>]/i.test(html)) return null;
  const cells = cellsOf(html);
  if (cells <= mostCells) return null;
  const rows = rowsOf(plain);
  const csv = rows.map((row) => row.map(csvCell).join(",")).join("\r\n");
  const [shown, most] = [cells, mostCells].map((number) => number.toLocaleString("en-GB"));
  return {
    // The byte order mark marks the file as UTF-8 for spreadsheets.
    file: new File([`\ufeff${csv}\r\n`], "Pasted table.csv", { type: "text/csv" }),
    sentence:
      `This table has ${shown} cells. Tables of up to ${most} cells are pasted into the text, ` +
      "so all of it was added as a file. Paste fewer rows to have them in the text.",
  };
}

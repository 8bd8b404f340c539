import { expect, it } from "vitest";
import { largeSheet, mostCells } from "./large-sheet";

const rows = (count: number) => Array.from({ length: count }, (_row, at) => [`a${at}`, `b ${at}`]);
const plainOf = (cells: string[][]) => cells.map((row) => row.join("\t")).join("\r\n");
const htmlOf = (cells: string[][]) =>
  `<html><head><style>td {}</style></head><body><!--StartFragment--><table>${cells
    .map((row) => `<tr>${row.map((words) => `<td class=x>${words}</td>`).join("")}</tr>`)
    .join("")}</table><!--EndFragment--></body></html>`;

it("[EDIT-67] a sheet above the cell limit becomes a file with all cells", async () => {
  const cells = rows(2_000);
  const found = largeSheet(htmlOf(cells), plainOf(cells));
  expect(found?.sentence).toBe(
    "This table has 4,000 cells. Tables of up to 1,000 cells are pasted into the text, so all of " +
      "it was added as a file. Paste fewer rows to have them in the text.",
  );
  expect(found?.file.name).toBe("Pasted table.csv");
  const lines = (await found?.file.text())?.trim().split("\r\n") ?? [];
  expect(lines).toEqual(cells.map((row) => row.join(",")));
});

it("[EDIT-67] cells with line breaks, quotation marks and commas stay one cell", async () => {
  const cells = rows(mostCells);
  const plain = `${plainOf(cells)}\r\n"two\nlines ""so"""\tone, two\r\n\tlast`;
  const text = await largeSheet(htmlOf(cells), plain)?.file.text();
  expect(text?.endsWith('\r\n"two\nlines ""so""","one, two"\r\n,last\r\n')).toBe(true);
});

it("[EDIT-67] a smaller table, or one with words around it, is pasted as it is", () => {
  const small = rows(mostCells / 2);
  expect(largeSheet(htmlOf(small), plainOf(small))).toBeNull();
  const large = rows(mostCells);
  expect(largeSheet(`<p>Words</p>${htmlOf(large)}`, plainOf(large))).toBeNull();
  expect(largeSheet(htmlOf(large), "")).toBeNull();
});

import { expect, it } from "vitest";
import { rowsAtATime } from "@/events/core/pages";
import { shownRows } from "./long-list";

it("[DOCS-17] shows as many more rows each time until all are shown", () => {
  const rows = Array.from({ length: 1001 }, (_, at) => at);
  const counts = [1, 2, 10, 11].map((times) => shownRows(rows, times * rowsAtATime).length);
  expect(counts).toEqual([100, 200, 1000, 1001]);
  expect(shownRows(rows, 400, (row) => row === 1000).at(-1)).toBe(1000);
  expect(shownRows(rows, 400, (row) => row === 3)).toEqual(rows.slice(0, 400));
});

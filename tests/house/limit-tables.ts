import { readFileSync } from "node:fs";

/** The rows of every table of docs/spec/limits.md, by their cells. */
const rows = readFileSync("docs/spec/limits.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|[\s|-]*$/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
/** Those of what the log counts, whose names are the database's. */
export const ofLog = rows.filter(([name = ""]) => /^`\w+`$/.test(name));
/** All others, which name the place that enforces them. */
export const others = rows.filter(([, , place = ""]) => place.startsWith("`"));

const units: Record<string, number> = {
  "": 1,
  s: 1_000,
  kB: 1_000,
  KiB: 1_024,
  MB: 1_000_000,
  MiB: 1_048_576,
};

/** The number that a cell says. */
export function said(cell: string): number {
  const [, digits = "", unit = ""] = /^([\d ]+?)\s*([A-Za-z]*)$/.exec(cell) ?? [];
  return Number(digits.replaceAll(" ", "")) * (units[unit] ?? NaN);
}

import { readFileSync } from "node:fs";

/** The rows of every table of docs/spec/limits.md, as cells. */
const rows = readFileSync("docs/spec/limits.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|[\s|-]*$/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
/** The limits of the log, which have the database's names. */
export const ofLog = rows.filter(([name = ""]) => /^`\w+`$/.test(name));
/** All other limits, which name the place that enforces them. */
export const others = rows.filter(([, , place = ""]) => place.startsWith("`"));

const units: Record<string, number> = {
  "": 1,
  s: 1_000,
  kB: 1_000,
  KiB: 1_024,
  MB: 1_000_000,
  MiB: 1_048_576,
};

/** The number in a cell, in its base unit. */
export function said(cell: string): number {
  const [, digits = "", unit = ""] = /^([\d ]+?)\s*([A-Za-z]*)$/.exec(cell) ?? [];
  return Number(digits.replaceAll(" ", "")) * (units[unit] ?? NaN);
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = "docs/spec";
const contents = `${folder}/README.md`;
const chapters = readdirSync(folder)
  .map((name) => `${folder}/${name}`)
  .filter((path) => path.endsWith(".md") && path !== contents);

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  encoding: "utf8",
}).split("\n");
const tests = files.filter((file) => /\.(test|e2e)\.tsx?$/.test(file));

const ruleId = /\[([A-Z][A-Z0-9]*-\d+[a-z]?)\]/g;
const ruleLine = /^- \[([A-Z][A-Z0-9]*-\d+[a-z]?)\]/;

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n");
}

const stated = chapters.flatMap((path) =>
  linesOf(path).flatMap((line) => ruleLine.exec(line)?.[1] ?? []),
);
const citedIn = (paths: readonly string[]) =>
  paths.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(ruleId)].map(([, id]) => id ?? ""),
  );
const cited = citedIn(tests);

describe("docs/spec", () => {
  it("[HOUSE-3] states every rule that a test cites", () => {
    const rules = new Set(stated);
    expect([...new Set(cited)].filter((id) => !rules.has(id))).toEqual([]);
  });

  it("[HOUSE-3] states each rule under its own id", () => {
    expect(stated.filter((id, index) => stated.indexOf(id) !== index)).toEqual([]);
  });

  it("[HOUSE-3] has a test for every rule it states", () => {
    const rules = new Set(cited);
    expect(stated.length).toBeGreaterThan(0);
    expect(stated.filter((id) => !rules.has(id))).toEqual([]);
  });

  it("[HOUSE-3] has no rule that only the soak tests", () => {
    const everyChange = new Set(citedIn(tests.filter((path) => !path.startsWith("tests/soak/"))));
    expect(everyChange.size).toBeGreaterThan(0);
    expect(stated.filter((id) => cited.includes(id) && !everyChange.has(id))).toEqual([]);
  });

  it("[HOUSE-3] begins a line with each rule", () => {
    const elsewhere = chapters.flatMap((path) =>
      linesOf(path).filter((line) => line.replace(ruleLine, "").match(ruleId)),
    );
    expect(elsewhere).toEqual([]);
  });

  it("[HOUSE-3] lists every chapter in the contents, with the prefixes of its rules", () => {
    const entries = linesOf(contents);
    const missing = chapters.flatMap((path) => {
      const name = path.slice(folder.length + 1);
      const entry = entries.find((line) => line.includes(`](${name})`)) ?? "";
      const prefixes = linesOf(path).flatMap(
        (line) => ruleLine.exec(line)?.[1]?.split("-")[0] ?? [],
      );
      return [name, ...new Set(prefixes)]
        .filter((word) => !entry.includes(word))
        .map((word) => `${name}: ${word}`);
    });
    expect(missing).toEqual([]);
  });

  it("[HOUSE-3] has no line of more than 160 characters", () => {
    const long = [contents, ...chapters].flatMap((path) =>
      linesOf(path).flatMap((line, index) =>
        // Prettier pads the cells of a table to the longest path in it.
        [...line].length > 160 && !line.startsWith("|") ? `${path}:${index + 1}` : [],
      ),
    );
    expect(long).toEqual([]);
  });
});

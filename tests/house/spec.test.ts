import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  encoding: "utf8",
}).split("\n");
const tests = files.filter((file) => /\.(test|e2e)\.tsx?$/.test(file));

function rulesIn(paths: string[]): Set<string> {
  const named = paths.flatMap((path) => [
    ...readFileSync(path, "utf8").matchAll(/\[([A-Z][A-Z0-9]*-\d+[a-z]?)\]/g),
  ]);
  return new Set(named.map(([, rule]) => rule ?? ""));
}

const stated = rulesIn(["SPEC.md"]);
const cited = rulesIn(tests);

describe("SPEC.md", () => {
  it("[HOUSE-3] states every rule that a test cites", () => {
    expect([...cited].filter((rule) => !stated.has(rule))).toEqual([]);
  });

  it("[HOUSE-3] states no two rules under one id", () => {
    const ids = [...readFileSync("SPEC.md", "utf8").matchAll(/^- `?\[([A-Z]+-\d+)\]/gm)].map(
      ([, id]) => id,
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("[HOUSE-3] has a test for every rule it states", () => {
    expect([...stated].filter((rule) => !cited.has(rule))).toEqual([]);
  });
});

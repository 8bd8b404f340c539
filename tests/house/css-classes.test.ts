import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file.startsWith("components/") || file.startsWith("app/"));

/** The classes that a component takes from a style sheet which has none of that name. */
function missing(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const imports = source.matchAll(/^import (\w+) from "([^"]+\.module\.css)";$/gm);
  const code = source.replace(/^import .*$/gm, "");
  return [...imports].flatMap(([, name = "", path = ""]) => {
    const sheet = path.startsWith("@/") ? path.slice(2) : join(dirname(file), path);
    const css = readFileSync(sheet, "utf8");
    const classes = new Set([...css.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, each]) => each));
    const used = code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"));
    return [...used].flatMap(([, each = ""]) =>
      classes.has(each) ? [] : [`${file}: ${name}.${each}`],
    );
  });
}

it("[HOUSE-13] every class that a component names is in its style sheet, which the compiler does not know", () => {
  expect(files.flatMap(missing)).toEqual([]);
});

const sheets = execFileSync("git", ["ls-files", "*.css"], { encoding: "utf8" }).trim().split("\n");
// Chromium takes such a rule for one of any element: each that is inserted has all of that name styled anew.
const tagBehindState = /:(?:checked|focus(?:-visible|-within)?|hover|disabled)\s*[+~]\s*[a-z]+\b/g;

it("[HOUSE-21] no rule selects by its element’s name alone what stands behind something in a state", () => {
  const found = sheets.flatMap((sheet) =>
    [...readFileSync(sheet, "utf8").matchAll(tagBehindState)].map(([rule]) => `${sheet}: ${rule}`),
  );
  expect(found).toEqual([]);
});

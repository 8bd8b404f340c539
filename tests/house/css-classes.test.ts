import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file.startsWith("components/") || file.startsWith("app/"));

/** The classes that a component uses from a style sheet that does not define them. */
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

it("[HOUSE-13] every class that a component uses is in its style sheet", () => {
  expect(files.flatMap(missing)).toEqual([]);
});

const sheets = execFileSync("git", ["ls-files", "*.css"], { encoding: "utf8" }).trim().split("\n");
/** Sibling selectors in which both sides are plain element names. */
function siblingsByElement(css: string): string[] {
  const rules = css.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g);
  // The content of `:has()` starts from its own element.
  const selectors = [...rules].flatMap(([, list = ""]) =>
    list.replace(/:has\((?:[^()]|\([^()]*\))*\)/g, "").split(/,(?![^(]*\))/),
  );
  return selectors
    .map((selector) => selector.trim().replace(/\s+/g, " ").replace(/, /g, ","))
    .filter((selector) => /(?:^| |\))[^ .[]+ ?[+~] ?[^ .[]+$/.test(selector));
}

it("[HOUSE-21] no rule selects siblings by element names alone", () => {
  const found = sheets.flatMap((sheet) =>
    siblingsByElement(readFileSync(sheet, "utf8")).map((rule) => `${sheet}: ${rule}`),
  );
  // Few of these occur in a text, and a heading's own margin cannot depend on the one before it.
  expect(found).toEqual([
    "components/editor/text.module.css: .text h2 + :is(h3,h4)",
    "components/editor/text.module.css: .text h3 + h4",
  ]);
});

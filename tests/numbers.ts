// `npm run numbers`: figures about the state of the code, each from the files that git knows.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { layers } from "@/eslint.config.mjs";
import { importCycles, importsOf } from "./support/import-cycles";

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const linesOf = (file: string) => readFileSync(file, "utf8").replace(/\n$/, "").split("\n");

const code = files.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file));
/** Files that are generated, or consist of data. */
const isData = (file: string) =>
  /(^|\/)(package-lock|law|hash-vectors)\.json$|\.(svg|png|ico|gz|zip|woff2?)$/.test(file) ||
  /^supabase\/(schema\.sql|migrations\/\d+_law\.sql|templates\/.*)$/.test(file) ||
  ["supabase/database.types.ts", "events/core/body-shapes.ts"].includes(file);
/** A table row in Markdown cannot be wrapped. */
const isRow = (file: string, line: string) => file.endsWith(".md") && /^\s*\|/.test(line);
const sources = code.filter(
  (file) => /\.tsx?$/.test(file) && !/\.(test|fixture|e2e|d)\./.test(file),
);
const folders = layers.flat().sort((one, other) => other.length - one.length);
const layerOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`)) ?? "";
const heightOf = (layer: string) => layers.findIndex((group) => group.includes(layer));

/** Prints a figure with the items that it counts. */
function printList(name: string, found: readonly string[]): void {
  console.log(`\n${name}: ${found.length}`);
  for (const each of found) console.log(`  ${each}`);
}

/** Prints the file lengths of each layer. */
function printLengths(): void {
  const row = (cells: string[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(34) : cell.padStart(6))).join(" "));
  row(["layer", "files", "median", "p90", "longest"]);
  const printLayer = (layer: string, among: string[]) => {
    const sized = among
      .map((file) => ({ file, lines: linesOf(file).length }))
      .sort((one, other) => one.lines - other.lines);
    const at = (part: number) => sized[Math.ceil(sized.length * part) - 1];
    const longest = sized.at(-1);
    if (!longest) return;
    row([
      layer,
      String(sized.length),
      String(at(0.5)?.lines),
      String(at(0.9)?.lines),
      `${longest.lines} ${longest.file}`,
    ]);
  };
  const written = sources.filter((file) => !isData(file));
  for (const layer of layers.flat())
    printLayer(
      layer,
      written.filter((file) => layerOf(file) === layer),
    );
  printLayer("all", written);
}

/** Imports from a layer above a file's own or beside it, types included. */
function upwardImports(): string[] {
  return sources.flatMap((file) => {
    const from = layerOf(file);
    if (from === "") return [];
    return importsOf(file)
      .filter((to) => layerOf(to) !== from && heightOf(layerOf(to)) >= heightOf(from))
      .map((to) => `${file} → ${to}`);
  });
}

function longLines(): string[] {
  return files
    .filter((file) => !isData(file))
    .flatMap((file) =>
      linesOf(file).flatMap((line, at) =>
        [...line].length > 120 && !isRow(file, line)
          ? `${file}:${at + 1} (${[...line].length})`
          : [],
      ),
    );
}

function anys(): string[] {
  return code.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
    const found: string[] = [];
    const visit = (node: ts.Node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword)
        found.push(`${file}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

const exception = /(eslint-disable|@ts-(ignore|expect-error|nocheck)|prettier-ignore)/;
/** A test's expected type error is an assertion, which fails once the code compiles. */
const isTypeTest = (file: string, line: string) =>
  file.endsWith(".test.ts") && line.includes("@ts-expect-error");
const exceptions = () =>
  code
    .filter((file) => file !== "tests/numbers.ts")
    .flatMap((file) =>
      linesOf(file).flatMap((line, at) =>
        exception.test(line) && !isTypeTest(file, line) ? `${file}:${at + 1}` : [],
      ),
    );

function statedTwice(): string[] {
  const stated = new Map<string, number>();
  for (const file of files.filter((name) => /^supabase\/migrations\/.*\.sql$/.test(name)))
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
      /^create (?:or replace )?function ([\w.]+)/gim,
    ))
      stated.set(name, (stated.get(name) ?? 0) + 1);
  return [...stated].filter(([, times]) => times > 1).map(([name, times]) => `${name} (${times})`);
}

printLengths();
printList("Upward imports", upwardImports());
printList(
  "Import cycles",
  importCycles(sources).map((way) => way.join(" → ")),
);
printList("SQL functions stated more than once", statedTwice());
printList("`any`", anys());
printList("Lint exceptions", exceptions());
printList("Lines over 120 characters outside data", longLines());
console.log("\nUnused files, exports and dependencies (knip):");
const knip = spawnSync("npx", ["knip", "--no-progress"], { encoding: "utf8" });
console.log(knip.stdout.trim() || "  none");

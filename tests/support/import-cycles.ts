import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const endings = [".ts", ".tsx"];

/** Returns the repository's files that a file imports, including type imports. */
export function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.flatMap(({ fileName }) => {
    const path = fileName.startsWith("@/")
      ? fileName.slice(2)
      : fileName.startsWith(".")
        ? join(dirname(file), fileName)
        : null;
    if (path === null) return [];
    return (
      endings
        .map((ending) => `${path}${ending}`)
        .find((each) => statSync(each, { throwIfNoEntry: false })?.isFile()) ?? []
    );
  });
}

/** Returns import cycles as lists of files, at least one for every cyclic group of files. */
export function importCycles(files: readonly string[]): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string) => {
    if (done.has(file)) return;
    const at = way.indexOf(file);
    if (at >= 0) {
      cycles.push([...way.slice(at), file]);
      return;
    }
    way.push(file);
    for (const next of importsOf(file)) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  return cycles;
}

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Phrases of translated English, each with the words to use instead. */
const phrases: readonly [phrase: RegExp, instead: string][] = [
  [/\bwhoever\b/i, "the person, the caller, a member"],
  [/\banew\b/i, "again, or what exactly happens again"],
  [/\b(?:is|are|was|were) told of\b/i, "sees, receives, is notified"],
  [/\bfor ever\b/i, "permanently, without a limit"],
  [/\bof no more\b/i, "the verb that is meant"],
  [/\boptimistic events for\b/i, "the pending events of"],
];

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => existsSync(path) && path !== "tests/house/plain-english.test.ts");

/** The comments of a source file: lines of their own and what stands behind code on its line. */
const commentsOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => /^\s*(?:\/\/|\/?\*).*|\s\/\/ .*$/.exec(line)?.[0] ?? []);

/** A document's lines without the names of code. */
const proseOf = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/`[^`]*`/g, ""));

function translated(lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    phrases
      .filter(([phrase]) => phrase.test(line.replace(/`[^`]*`/g, "")))
      .map(([, instead]) => `${line.trim()} (say: ${instead})`),
  );
}

describe("[HOUSE-26] the English of", () => {
  it("comments has no phrase that reads as translated", () => {
    const sources = files.filter((path) => /\.(?:tsx?|mjs)$/.test(path));
    const found = sources.flatMap((path) =>
      translated(commentsOf(readFileSync(path, "utf8"))).map((line) => `${path}: ${line}`),
    );
    expect(sources.length).toBeGreaterThan(1_000);
    expect(found).toEqual([]);
  });

  it("documents has none either", () => {
    const documents = files.filter((path) => path.endsWith(".md"));
    const found = documents.flatMap((path) =>
      translated(proseOf(readFileSync(path, "utf8"))).map((line) => `${path}: ${line}`),
    );
    expect(documents.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it("a comment that names them is found", () => {
    expect(translated(commentsOf("const a = 1; // Tells whoever asks.\n"))).toHaveLength(1);
    expect(translated(commentsOf("/**\n * Drawn anew for ever.\n */"))).toHaveLength(2);
    expect(translated(commentsOf('say("whoever asks");\n// `anew` refetches.'))).toEqual([]);
  });
});

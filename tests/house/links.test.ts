import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const documents = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(path));

/** A document's prose without code, which may contain brackets that are not links. */
function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}

/** The anchors of a document's headings, as GitHub generates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function targetsOf(path: string): string[] {
  const prose = proseOf(readFileSync(path, "utf8"));
  const links = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|srcset|href)="([^"]+)"/g)];
  return links
    .map(([, markdown, html]) => markdown ?? html ?? "")
    .filter((target) => !/^[a-z]+:/i.test(target));
}

function resolves(path: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const found = file === "" ? path : join(dirname(path), decodeURI(file));
  if (!existsSync(found)) return false;
  return anchor === undefined || anchorsOf(readFileSync(found, "utf8")).includes(anchor);
}

describe("the documents' links", () => {
  it("[HOUSE-3] lead to existing files and headings", () => {
    const links = documents.flatMap((path) => targetsOf(path).map((target) => ({ path, target })));
    const broken = links.filter(({ path, target }) => !resolves(path, target));
    expect(links.length).toBeGreaterThan(20);
    expect(broken).toEqual([]);
  });
});

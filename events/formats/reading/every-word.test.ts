import type { Node } from "@tiptap/pm/model";
import { zipSync } from "fflate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html";
import { readFile } from "../read-import";
import { readMarkdownFile } from "./read-markdown";
import { alone } from "../sources.fixture";
import { randomHtml, randomMarkdown, randomWord } from "./random-sources.fixture";
import type { Source } from "./random-sources.fixture";
import { wordBytes } from "./word/word-bytes.fixture";

type Read = { title: string | null; text: Node };

/** Returns the words of a source that are neither in its documents nor reported as left out. */
function lostOf(
  { shown, named }: Pick<Source, "shown" | "named">,
  documents: readonly Read[],
  left: ReadonlyMap<string, number>,
) {
  const words: string[] = [];
  for (const { title, text } of documents) {
    text.check();
    words.push(` ${title ?? ""} `);
    text.descendants((node) => {
      words.push(node.isText ? (node.text ?? "") : node.isInline ? "" : " ");
    });
  }
  const found = new Set(words.join("").match(/w\d+q/g));
  return {
    words: shown.filter((word) => !found.has(word)),
    // The count must be at least the number of missing words.
    kinds: [...new Set(named.map(([kind]) => kind))].filter((kind) => {
      const missing = named.filter(([of, word]) => of === kind && !found.has(word));
      return (left.get(kind) ?? 0) < missing.length;
    }),
  };
}

const nothing = { words: [], kinds: [] };
const ways = {
  origin: alone.origin,
  onRead: () => undefined,
  newId: () => "00000000-0000-4000-8000-000000000000",
  sizeOf: async () => null,
};
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("every word of a file", () => {
  it.each([
    ["HTML", randomHtml, readHtml],
    ["Markdown", randomMarkdown, readMarkdownFile],
  ] as const)("[FORMAT-22] is in its document or in “Not included”: %s", (_, source, read) => {
    fc.assert(
      fc.property(source, (one) => {
        const left = new Map<string, number>();
        const count = (what: string, by = 1) => void left.set(what, (left.get(what) ?? 0) + by);
        const document = read(one.text, { ...alone, left: count });
        expect(lostOf(one, [document], left)).toEqual(nothing);
      }),
      { numRuns: 60 },
    );
  });

  it("[FORMAT-22] is in its document or in “Not included”: Word", async () => {
    const property = fc.asyncProperty(randomWord, async (one) => {
      const { documents, left } = await readFile("a.docx", wordBytes(one.text), ways);
      expect(lostOf(one, documents, left)).toEqual(nothing);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("[FORMAT-22] is in its document or in “Not included”: archives, under names of any kind", async () => {
    const name = fc.constantFrom("a", ".NET", "A b", "ü", "x.y", "a%20b", "1", "__proto__");
    const folder = fc
      .array(name, { maxLength: 2 })
      .map((parts) => parts.map((part) => `${part}/`).join(""));
    const file = fc.tuple(
      folder,
      name,
      fc.oneof(
        randomMarkdown.map((source) => ({ ...source, ending: "md", bytes: utf8(source.text) })),
        randomHtml.map((source) => ({ ...source, ending: "html", bytes: utf8(source.text) })),
        randomWord.map((source) => ({ ...source, ending: "docx", bytes: wordBytes(source.text) })),
      ),
    );
    const files = fc.uniqueArray(file, {
      minLength: 1,
      maxLength: 4,
      selector: ([within, called, { ending }]) => `${within}${called}.${ending}`,
    });
    const property = fc.asyncProperty(files, async (all) => {
      const packed = all.map(([within, called, { ending, bytes }]) => [
        `${within}${called}.${ending}`,
        bytes,
      ]);
      const { documents, left } = await readFile(
        "a.zip",
        zipSync(Object.fromEntries(packed)),
        ways,
      );
      for (const [, , source] of all)
        expect(lostOf({ ...source, named: [] }, documents, left)).toEqual(nothing);
      const titles = documents.map(({ title }) => title);
      expect(titles.every((title) => title !== "")).toBe(true);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml } from "../read-html";
import type { ReadText } from "../read-blocks";
import { readMarkdownFile } from "../read-markdown";
import { alone } from "../sources.fixture";
import { randomHtml, randomMarkdown, type Source } from "./random-sources.fixture";

type Read = (text: string, sources: typeof alone) => ReadText;

/** What of a source is neither in its document nor in the account of what is not. */
function lostOf({ text, shown, named }: Source, read: Read) {
  const left = new Map<string, number>();
  const count = (what: string, by = 1) => void left.set(what, (left.get(what) ?? 0) + by);
  const { title, text: document } = read(text, { ...alone, left: count });
  document.check();
  const words: string[] = [title ?? ""];
  document.descendants((node) => {
    words.push(node.isText ? (node.text ?? "") : node.isInline ? "" : " ");
  });
  const found = new Set(words.join("").match(/w\d+q/g));
  return {
    words: shown.filter((word) => !found.has(word)),
    // Of those that are missing, so many are counted.
    kinds: [...new Set(named.map(([kind]) => kind))].filter((kind) => {
      const missing = named.filter(([of, word]) => of === kind && !found.has(word));
      return (left.get(kind) ?? 0) < missing.length;
    }),
  };
}

const nothing = { words: [], kinds: [] };

describe("every word of a file", () => {
  it.each([
    ["HTML", randomHtml, readHtml],
    ["Markdown", randomMarkdown, readMarkdownFile],
  ] as const)("[FORMAT-22] is in its document or in “Not included”: %s", (_, source, read) => {
    fc.assert(
      fc.property(source, (one) => {
        expect(lostOf(one, (text, sources) => read(text, sources))).toEqual(nothing);
      }),
      { numRuns: 60 },
    );
  });
});

import type { Node } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { Finder, hitFrom } from "./hits";

const paragraph = (words: string) =>
  documentSchema.node("paragraph", null, words === "" ? [] : documentSchema.text(words));
const doc = (...blocks: Node[]) => documentSchema.node("doc", null, blocks);
const plain = { matchCase: false, wholeWords: false };

const found = (of: Node, words: string, options: Partial<typeof plain> = {}) =>
  new Finder({ words, ...plain, ...options })
    .hitsIn(of)
    .map(({ from, to }) => of.textBetween(from, to));

describe("finding words in a text", () => {
  it("[FINDBAR-1] finds words in every block and across marks, but not across blocks", () => {
    const split = documentSchema.node("paragraph", null, [
      documentSchema.text("Low wa"),
      documentSchema.text("ter", [documentSchema.mark("bold")]),
    ]);
    const text = doc(split, paragraph("water"), paragraph("wa"), paragraph("ter"));
    expect(found(text, "water")).toEqual(["water", "water"]);
    expect(found(text, "")).toEqual([]);
  });

  it("[FINDBAR-1] matches case and whole words only on request", () => {
    const text = doc(paragraph("Tide, tides, TIDE and tıde; İzmir"));
    expect(found(text, "tide")).toEqual(["Tide", "tide", "TIDE"]);
    expect(found(text, "tide", { matchCase: true })).toEqual(["tide"]);
    expect(found(text, "tide", { wholeWords: true })).toEqual(["Tide", "TIDE"]);
    expect(found(text, "İzmir")).toEqual(["İzmir"]);
    expect(found(doc(paragraph("a\u00a0b")), "a b")).toHaveLength(1);
  });

  it("[FINDBAR-1] matches signs literally", () => {
    const signs = "^$.*+?()[]{}|/\\-(a+)+$";
    expect(found(doc(paragraph(`before ${signs} after`)), signs)).toEqual([signs]);
    expect(found(doc(paragraph("abc")), ".")).toEqual([]);
    expect(found(doc(paragraph(`${"a".repeat(50_000)}!`)), "(a+)+$")).toEqual([]);
  });

  it("[FINDBAR-5] searches only the blocks that changed", () => {
    const [first, second] = [paragraph("one tide"), paragraph("two tides")];
    const finder = new Finder({ words: "tide", ...plain });
    expect(finder.hitsIn(doc(first, second))).toHaveLength(2);
    const looked: Node[] = [];
    for (const block of [first, second]) {
      const between = block.textBetween.bind(block);
      block.textBetween = (...at) => (looked.push(block), between(...at));
    }
    const third = paragraph("tide tide");
    expect(finder.hitsIn(doc(first, third, second))).toHaveLength(4);
    expect(looked).toEqual([]);
  });

  it("[FINDBAR-2] continues after a position, and wraps at the end", () => {
    const hits = new Finder({ words: "a", ...plain }).hitsIn(doc(paragraph("a a a")));
    expect([0, 2, 3, 5, 6].map((at) => hitFrom(hits, at))).toEqual([0, 1, 1, 2, 0]);
  });
});

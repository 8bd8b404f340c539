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
  it("[FINDBAR-1] finds them in every block, whatever marks they have, and never across blocks", () => {
    const split = documentSchema.node("paragraph", null, [
      documentSchema.text("Low wa"),
      documentSchema.text("ter", [documentSchema.mark("bold")]),
    ]);
    const text = doc(split, paragraph("water"), paragraph("wa"), paragraph("ter"));
    expect(found(text, "water")).toEqual(["water", "water"]);
    expect(found(text, "")).toEqual([]);
  });

  it("[FINDBAR-1] minds case and whole words only where it is asked to", () => {
    const text = doc(paragraph("Tide, tides, TIDE and tıde; İzmir"));
    expect(found(text, "tide")).toEqual(["Tide", "tide", "TIDE"]);
    expect(found(text, "tide", { matchCase: true })).toEqual(["tide"]);
    expect(found(text, "tide", { wholeWords: true })).toEqual(["Tide", "TIDE"]);
    expect(found(text, "İzmir")).toEqual(["İzmir"]);
    expect(found(doc(paragraph("a\u00a0b")), "a b")).toHaveLength(1);
  });

  it("[FINDBAR-1] takes every sign as itself", () => {
    const signs = "^$.*+?()[]{}|/\\-(a+)+$";
    expect(found(doc(paragraph(`before ${signs} after`)), signs)).toEqual([signs]);
    expect(found(doc(paragraph("abc")), ".")).toEqual([]);
    expect(found(doc(paragraph(`${"a".repeat(50_000)}!`)), "(a+)+$")).toEqual([]);
  });

  it("[FINDBAR-5] looks again through the blocks that have changed, and through no other", () => {
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

  it("[FINDBAR-2] goes on behind a position, and from the end to the beginning", () => {
    const hits = new Finder({ words: "a", ...plain }).hitsIn(doc(paragraph("a a a")));
    expect([0, 2, 3, 5, 6].map((at) => hitFrom(hits, at))).toEqual([0, 1, 1, 2, 0]);
  });
});

import { Schema } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { narrowChange } from "./narrow-change";

const schema = new Schema({
  nodes: { doc: { content: "p*" }, p: { content: "text*" }, text: {} },
});
const doc = (...texts: string[]): Node =>
  schema.node(
    "doc",
    null,
    texts.map((text) => schema.node("p", null, text === "" ? [] : [schema.text(text)])),
  );
const words = (node: Node, from: number, to: number) => node.textBetween(from, to, "|");

/** Returns the positions of `quote` in a document of one text. */
function rangeOf(node: Node, quote: string): [number, number] {
  let found: [number, number] | null = null;
  node.descendants((child, position) => {
    const at = child.text?.indexOf(quote) ?? -1;
    if (at >= 0) found = [position + at, position + at + quote.length];
  });
  if (!found) throw new Error(`nothing says ${quote}`);
  return found;
}

test.each([
  [
    "a letter before",
    doc("We counted.", "On Thursday forty people stood."),
    doc("We counted!.", "On Thursday forty people stood."),
  ],
  ["a repeated letter right before", doc("aaa forty people"), doc("aaaa forty people")],
  ["a line above", doc("forty people"), doc("", "forty people")],
  ["a line below and its end", doc("forty people", "gone"), doc("forty people")],
  ["a letter after", doc("forty people stood"), doc("forty people all stood")],
])("[COMMENT-8] words keep their place when others write %s", (_name, before, after) => {
  const change = narrowChange(before, after);
  const [from, to] = rangeOf(before, "forty people");
  expect(change && words(after, change.map(from, 1), change.map(to, -1))).toBe("forty people");
});

test("equal documents have no change", () => {
  expect(narrowChange(doc("We counted."), doc("We counted."))).toBeNull();
});

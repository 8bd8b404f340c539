import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { longestParagraph, splitLongParagraphs, splitSentence } from "./paragraphs";
import { documentSchema } from "@/events/content/schema";

const paragraph = (words: string) =>
  documentSchema.node("paragraph", null, [documentSchema.text(words)]);
const closed = (...nodes: Node[]) => new Slice(Fragment.from(nodes), 0, 0);

function textblocks(slice: Slice): Node[] {
  const found: Node[] = [];
  slice.content.descendants((node) => {
    if (node.isTextblock) found.push(node);
  });
  return found;
}

const lettersOf = (slice: Slice) => textblocks(slice).map(({ textContent }) => textContent);

test("[EDIT-24] a too long paragraph is split after sentences without losing a letter", () => {
  const words = "The fox jumps over the dog. Then it goes home to sleep. "
    .repeat(12_054)
    .slice(0, 675_000);
  const { slice, ...found } = splitLongParagraphs(new Slice(Fragment.from(paragraph(words)), 1, 1));
  const texts = lettersOf(slice);
  expect(texts.join("") === words).toBe(true);
  expect(texts.slice(0, -1).every((text) => text.endsWith(". "))).toBe(true);
  expect(texts.every(({ length }) => length > 0 && length <= longestParagraph)).toBe(true);
  expect(found).toEqual({ long: 1, made: 7, longest: 675_000 });
  expect([slice.openStart, slice.openEnd]).toEqual([1, 1]);
  expect(splitSentence(found)).toBe(
    "A paragraph of 675,000 characters was pasted as 7 paragraphs, to keep writing fast. No text is missing.",
  );
});

test.each([
  ["words", `${"word ".repeat(50_000)}`, /\S $/],
  ["no place to cut", "0123456789".repeat(25_000), /\d$/],
  ["a letter of several code units", "👩🏽‍🚀".repeat(36_000), /👩🏽‍🚀$/u],
])("[EDIT-24] %s: cut between letters", (_what, words, end) => {
  const texts = lettersOf(splitLongParagraphs(closed(paragraph(words))).slice);
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.join("") === words).toBe(true);
  expect(texts.every((text) => end.test(text))).toBe(true);
});

test("[EDIT-24] split marks, headings and list items keep their kind", () => {
  const bold = documentSchema.text("bold ".repeat(30_000), [documentSchema.mark("bold")]);
  const item = documentSchema.node("listItem", null, [
    documentSchema.node("paragraph", null, [documentSchema.text("plain "), bold]),
  ]);
  const heading = documentSchema.node("heading", { level: 2 }, [
    documentSchema.text("h ".repeat(60_000)),
  ]);
  const { slice, long } = splitLongParagraphs(
    closed(documentSchema.node("bulletList", null, [item]), heading),
  );
  expect(long).toBe(2);
  slice.content.forEach((node) => node.check());
  expect(slice.content.content.map(({ type }) => type.name)).toEqual([
    "bulletList",
    "heading",
    "heading",
  ]);
  expect(slice.content.child(2).attrs).toMatchObject({ level: 2 });
  const [first, second] = textblocks(slice);
  expect(first?.childCount).toBe(2);
  expect(second?.firstChild?.marks.map(({ type }) => type.name)).toEqual(["bold"]);
});

test("[EDIT-24] code and paragraphs within the limit stay unchanged", () => {
  const code = documentSchema.node("codeBlock", null, [
    documentSchema.text("x".repeat(3 * longestParagraph)),
  ]);
  const pasted = closed(code, paragraph("y".repeat(longestParagraph)));
  const { slice, ...found } = splitLongParagraphs(pasted);
  expect(slice).toBe(pasted);
  expect(splitSentence(found)).toBe(null);
});

test("[LIMIT-7] a paragraph at the limit stays one, and one letter more makes two", () => {
  const pieces = (length: number) =>
    splitLongParagraphs(closed(paragraph("y".repeat(length)))).slice.content.childCount;
  expect([-1, 0, 1].map((more) => pieces(longestParagraph + more))).toEqual([1, 1, 2]);
});

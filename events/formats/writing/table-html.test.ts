import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Doc } from "yjs";
import { readMarkdown } from "@/events/content/markdown-reading";
import { documentSchema } from "@/events/content/schema";
import { cases } from "@/events/core/cases.fixture";
import { markdownFile } from "./markdown-file";
import { readMarkdownFile } from "../reading/read-markdown";
import { alone } from "../sources.fixture";
import { textTree } from "./text-tree";

type Json = { type: string; attrs?: object; content?: Json[]; text?: string; marks?: object[] };

const links = {
  nameOf: () => ({ words: "Linked", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
};

function written(text: Node): string {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(text, fragment);
  return markdownFile("A title", textTree(fragment), links);
}

const words = fc
  .array(fc.constantFrom("a", "|", "b|c", "<b>", "&amp;", "*d*", "`", "1.", "- e"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(" "));
const marks = fc.constantFrom<object[]>([], [{ type: "bold" }], [{ type: "code" }]);
const line = fc
  .array(fc.tuple(words, marks), { minLength: 1, maxLength: 2 })
  .map((runs) =>
    runs.flatMap(([text, own], index): Json[] => [
      ...(index > 0 ? [{ type: "hardBreak" }] : []),
      { type: "text", text, marks: own },
    ]),
  );
const paragraph = line.map((content): Json => ({ type: "paragraph", content }));
const code = fc
  .array(fc.constantFrom("a | b", "\n", "  c", "\n\n", "<d>", "`"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""))
  .filter((text) => text.trim() !== "")
  .map((text): Json => ({
    type: "codeBlock",
    attrs: { language: "ts" },
    content: [{ type: "text", text: `x${text}x` }],
  }));
const listOf = (type: string, item: string) =>
  fc.array(paragraph, { minLength: 1, maxLength: 2 }).map((items): Json => ({
    type,
    content: items.map((one, index) => ({
      type: item,
      ...(item === "taskItem" && { attrs: { checked: index === 0 } }),
      content: [one],
    })),
  }));
const block = fc.oneof(
  paragraph,
  code,
  listOf("bulletList", "listItem"),
  listOf("orderedList", "listItem"),
  listOf("taskList", "taskItem"),
  paragraph.map((one): Json => ({ type: "blockquote", content: [one] })),
);

/** Drops one of two adjacent lists of the same kind, which HTML would join. */
const apart = (blocks: Json[]) =>
  blocks.filter(
    ({ type }, index) => !type.endsWith("List") || !blocks[index - 1]?.type.endsWith("List"),
  );

const cell = fc.array(block, { minLength: 1, maxLength: 2 }).map(apart);
const table = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
    fc.infiniteStream(cell),
  )
  .map(([width, height, hasHead, cells]): Json => ({
    type: "table",
    content: Array.from({ length: height }, (_row, index) => ({
      type: "tableRow",
      content: Array.from({ length: width }, () => ({
        type: hasHead && index === 0 ? "tableHeader" : "tableCell",
        content: cells.next().value ?? [],
      })),
    })),
  }));

it("[FORMAT-1] writes tables with code, lists, tasks and breaks in their cells so that they read back the same", () => {
  fc.assert(
    fc.property(table, (json) => {
      const text = documentSchema.nodeFromJSON({ type: "doc", content: [json] });
      text.check();
      const markdown = written(text);
      const read = readMarkdownFile(markdown, alone);
      expect(read.text.toJSON(), markdown).toEqual(text.toJSON());
      expect(written(read.text)).toBe(markdown);
    }),
    { numRuns: cases(150) },
  );
});

it("[FORMAT-1] writes a table of one-line cells as GitHub does", () => {
  const text = readMarkdown("| a | b |\n|---|---|\n| `c\\|d` | e |");
  expect(written(text)).toBe("# A title\n\n| a | b |\n| - | - |\n| `c\\|d` | e |\n");
});

it("[FORMAT-29] reads plain items between task items as plain items", () => {
  const markdown = "- plain\n- [x] done\n- [ ] open\n- also plain";
  const shape = [
    ["bulletList", "plain"],
    ["taskList", "doneopen"],
    ["bulletList", "also plain"],
  ];
  const shapeOf = (doc: Node) => doc.children.map((node) => [node.type.name, node.textContent]);
  const { text } = readMarkdownFile(markdown, alone);
  for (const doc of [text, readMarkdown(markdown)]) expect(shapeOf(doc)).toEqual(shape);
  expect(shapeOf(readMarkdownFile(written(text), alone).text)).toEqual(shape);
  expect(text.child(1).children.map(({ attrs }) => Boolean(attrs.checked))).toEqual([true, false]);
  const nested = readMarkdown("- [ ] open\n  - plain\n- plain");
  expect(nested.toString()).toBe(
    'doc(taskList(taskItem(paragraph("open"), bulletList(listItem(paragraph("plain"))))), bulletList(listItem(paragraph("plain"))))',
  );
});

import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import fc from "fast-check";
import { documentSchema } from "@/events/content/schema";

type Json = { type: string; attrs?: object; content?: Json[]; text?: string; marks?: object[] };

const letters = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a", "Hours", " ", "b c", "1. ", "- ", "# ", "> ", "[ ] "),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "*",
      "_",
      "`",
      "~~",
      "[x](y)",
      "<u>",
      "|",
      "\\",
      "&amp;",
      "!",
      "www.a.org",
      "a@b.org",
      ":",
      "+",
      "=",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }) },
);
const words = fc
  .array(letters, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join("").replace(/[\u0000-\u001f\u007f-\u0085\u2028\u2029]/g, "."));
const mark = fc.constantFrom<object>(
  { type: "bold" },
  { type: "italic" },
  { type: "strike" },
  { type: "underline" },
  { type: "link", attrs: { href: "https://example.org/a_(b)?c=*d*" } },
);
/** GitHub's tables cannot hold a backslash before a vertical line in code. */
const codeRun = words.map((text) => ({
  text: text.replaceAll("\\", "."),
  marks: [{ type: "code" }],
}));
const run = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      text: words,
      marks: fc.uniqueArray(mark, { maxLength: 3, selector: (one) => JSON.stringify(one) }),
    }),
  },
  { weight: 1, arbitrary: codeRun },
);
const leaf = fc.constantFrom<Json>(
  { type: "hardBreak" },
  {
    type: "documentLink",
    attrs: { document: "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01", block: "7-12" },
  },
);
const text = run.map(({ text, marks }): Json => ({ type: "text", text, marks }));
/** Joins neighbours with the same marks to one text node, as ProseMirror does. */
const line = (extra: fc.Arbitrary<Json>) =>
  fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: extra }), {
    maxLength: 5,
  });
const inlines = line(leaf);

const paragraph = inlines.map((content): Json => ({ type: "paragraph", content }));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 3 }), inlines)
  .map(([level, content]): Json => ({ type: "heading", attrs: { level }, content }));
const code = fc
  .tuple(
    fc.constantFrom(null, "ts", "c++"),
    fc.array(fc.constantFrom("a", "\n", "```", "  ", "~~~", "\t"), { maxLength: 6 }),
  )
  .map(([language, parts]): Json => ({
    type: "codeBlock",
    attrs: { language },
    content: parts.length > 0 ? [{ type: "text", text: parts.join("") }] : [],
  }));
const table = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 3 }), fc.infiniteStream(inlines))
  .map(([width, height, cells]): Json => ({
    type: "table",
    content: Array.from({ length: height }, (_row, index) => ({
      type: "tableRow",
      content: Array.from({ length: width }, () => ({
        type: index === 0 ? "tableHeader" : "tableCell",
        // A header row without words is parsed as no header.
        content: [
          {
            type: "paragraph",
            content: index === 0 ? [{ type: "text", text: "h" }] : (cells.next().value ?? []),
          },
        ],
      })),
    })),
  }));

const { block } = fc.letrec<{ block: Json; item: Json[] }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    paragraph,
    heading,
    code,
    fc.constant<Json>({ type: "horizontalRule" }),
    table,
    fc
      .array(tie("block"), { minLength: 1, maxLength: 3 })
      .map((content): Json => ({ type: "blockquote", content })),
    fc.array(tie("item"), { minLength: 1, maxLength: 3 }).map((items): Json => ({
      type: "bulletList",
      content: items.map((content) => ({ type: "listItem", content })),
    })),
    fc
      .tuple(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(tie("item"), { minLength: 1, maxLength: 3 }),
      )
      .map(([start, items]): Json => ({
        type: "orderedList",
        attrs: { start },
        content: items.map((content) => ({ type: "listItem", content })),
      })),
    fc
      .array(fc.tuple(fc.boolean(), tie("item")), { minLength: 1, maxLength: 3 })
      .map((items): Json => ({
        type: "taskList",
        content: items.map(([checked, content]) => ({
          type: "taskItem",
          attrs: { checked },
          content,
        })),
      })),
  ),
  item: fc
    .tuple(paragraph, fc.array(tie("block"), { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest]),
}));

/** Any text that a document may hold, as JSON. */
export const randomText = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((content): Json => ({ type: "doc", content }));

const isItem = (node: Node) => node.type.name === "listItem" || node.type.name === "taskItem";

/** Removes empty paragraphs between others, which Markdown cannot express. */
export function withoutGaps(node: Node): Node {
  if (node.isTextblock || node.isLeaf) return node;
  const kept = node.children
    .map(withoutGaps)
    .filter(({ type, childCount }) => type.name !== "paragraph" || childCount > 0);
  const lacksWords = kept.length === 0 || (isItem(node) && kept[0]?.type.name !== "paragraph");
  return node.copy(Fragment.from(lacksWords ? [documentSchema.node("paragraph"), ...kept] : kept));
}

import { prosemirrorJSONToYXmlFragment } from "@tiptap/y-tiptap";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { markdownOf } from "./markdown";
import { documentSchema } from "./schema";

const text = (words: string, ...marks: object[]) => ({
  type: "text",
  text: words,
  ...(marks.length > 0 && { marks }),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });

describe("the text as Markdown", () => {
  it("[EDIT-10] writes every block and mark it can", () => {
    const fragment = new Doc().getXmlFragment("default");
    const content = [
      { type: "heading", attrs: { level: 2 }, content: [text("Hours")] },
      paragraph(
        text("Open "),
        text("late ", { type: "bold" }),
        text("on Mondays*", { type: "link", attrs: { href: "https://example.org" } }),
      ),
      {
        type: "bulletList",
        content: [
          {
            type: "listItem",
            content: [
              paragraph(text("one")),
              {
                type: "bulletList",
                content: [{ type: "listItem", content: [paragraph(text("in"))] }],
              },
            ],
          },
        ],
      },
      {
        type: "taskList",
        content: [
          { type: "taskItem", attrs: { checked: true }, content: [paragraph(text("Ask Carol"))] },
        ],
      },
      { type: "blockquote", content: [paragraph(text("quiet")), paragraph(text("please"))] },
      { type: "codeBlock", attrs: { language: "ts" }, content: [text("a * b")] },
      {
        type: "table",
        content: [
          ["tableHeader", "Day", "Hours"],
          ["tableCell", "Mon", "9|17"],
        ].map(([type, ...cells]) => ({
          type: "tableRow",
          content: cells.map((words) => ({ type, content: [paragraph(text(words ?? ""))] })),
        })),
      },
      { type: "horizontalRule" },
    ];
    prosemirrorJSONToYXmlFragment(documentSchema, { type: "doc", content }, fragment);
    expect(markdownOf(fragment)).toBe(
      [
        "## Hours",
        "",
        "Open **late** [on Mondays\\*](https://example.org)",
        "",
        "- one\n  - in",
        "",
        "- [x] Ask Carol",
        "",
        "> quiet\n>\n> please",
        "",
        "```ts\na * b\n```",
        "",
        "| Day | Hours |\n| --- | --- |\n| Mon | 9\\|17 |",
        "",
        "---",
        "",
      ].join("\n"),
    );
  });

  it("[EDIT-10] [BUNDLE-7] lets no words out of the code that they stand in", () => {
    const fragment = new Doc().getXmlFragment("default");
    const content = [
      paragraph(text("`a` ``", { type: "code" })),
      {
        type: "codeBlock",
        attrs: { language: "ts\n<script>" },
        content: [text("one\n```\n<script>")],
      },
    ];
    prosemirrorJSONToYXmlFragment(documentSchema, { type: "doc", content }, fragment);
    expect(markdownOf(fragment)).toBe(
      ["``` `a` `` ```", "", "````", "one\n```\n<script>", "````", ""].join("\n"),
    );
  });
});

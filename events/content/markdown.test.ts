import { prosemirrorJSONToYXmlFragment } from "@tiptap/y-tiptap";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { documentMarkdown, markdownOf } from "./markdown";
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

  it("[EDIT-10] [BUNDLE-7] keeps the words of code inside the code", () => {
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

  it.each([
    ["# a", "\\# a"],
    ["## a ##", "\\## a \\##"],
    ["[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"],
    ["<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)\\>"],
    ["one\n\n<script>\r\ntwo\u2028three", "one \\<script\\> two three"],
    ["&lt;b&gt; AT&T &", "\\&lt;b\\&gt; AT&T \\&"],
    ["~~gone~~ `code` *bold*", "\\~\\~gone\\~\\~ \\`code\\` \\*bold\\*"],
    ["1. Plans \\", "1. Plans \\\\"],
  ])("[EDIT-10] [BUNDLE-7] writes the title %j as words", (title, written) => {
    const markdown = documentMarkdown(title, new Doc().getXmlFragment("default"));
    expect(markdown).toBe(`# ${written}\n\n\n`);
  });

  it("[EDIT-10] [BUNDLE-7] escapes words that would begin a block, a picture or another link", () => {
    const doc = new Doc();
    const fragment = doc.getXmlFragment("default");
    const link = (href: string) => ({ type: "link", attrs: { href } });
    const lines = (...words: string[]) =>
      words.flatMap((line, index) => [...(index > 0 ? [{ type: "hardBreak" }] : []), text(line)]);
    const content = [
      paragraph(text("# no heading")),
      paragraph(text("2026. A year")),
      paragraph(...lines("- no item", "+ no item", "---", "===", "    no code", "| - | - |")),
      paragraph(text("Look!"), text("here", link("https://a.example/)[x](javascript:alert(1)"))),
      paragraph(text("a\n\n<img src=x onerror=alert(1)>", { type: "code" })),
      paragraph(text("a\n\n# b\r<img>")),
      { type: "heading", attrs: { level: 2 }, content: lines("Hours #", "<b> ##") },
      {
        type: "blockquote",
        content: [{ type: "codeBlock", content: [text("one\r<img src=x onerror=alert(1)>")] }],
      },
    ];
    prosemirrorJSONToYXmlFragment(documentSchema, { type: "doc", content }, fragment);
    expect(markdownOf(fragment).split("\n\n")).toEqual([
      "\\# no heading",
      "2026\\. A year",
      "\\- no item\\\n\\+ no item\\\n\\---\\\n\\===\\\nno code\\\n\\| - | - |",
      "Look\\![here](https://a.example/\\)[x]\\(javascript:alert\\(1\\))",
      "`a <img src=x onerror=alert(1)>`",
      "a # b \\<img\\>",
      "## Hours # \\<b\\> \\##",
      "> ```\n> one\n> <img src=x onerror=alert(1)>\n> ```\n",
    ]);
  });

  it("[EDIT-10] takes no longer for a row of one sign than for others", () => {
    const written = (words: string) => {
      const fragment = new Doc().getXmlFragment("default");
      const cell = { type: "tableCell", content: [paragraph(text(words))] };
      const content = [
        { type: "table", content: [{ type: "tableRow", content: [cell] }] },
        paragraph(text(words)),
      ];
      prosemirrorJSONToYXmlFragment(documentSchema, { type: "doc", content }, fragment);
      const begun = performance.now();
      expect(markdownOf(fragment)).toContain("end");
      return performance.now() - begun;
    };
    // Each of these characters is escaped, once.
    const signs = `begin${"*".repeat(100_000)}end`;
    written(signs);
    const calm = Math.max(20, written(signs));
    for (const hostile of [" ", "#", "[", "&", "-", "!", "`"])
      expect(written(`begin${hostile.repeat(100_000)}end`), hostile).toBeLessThan(20 * calm);
  });
});

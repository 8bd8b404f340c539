import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { markdownOf } from "./markdown";
import { readMarkdown, saysMore } from "./markdown-reading";

/** Reads Markdown and writes it again as the product does. */
function written(markdown: string): string {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(readMarkdown(markdown), fragment);
  return markdownOf(fragment);
}
const names = (markdown: string) => readMarkdown(markdown).children.map(({ type }) => type.name);

describe("reading Markdown", () => {
  it("[EDIT-33] reads the Markdown that the product writes", () => {
    const text = [
      "## Hours",
      "Open **late** [on Mondays](https://example.org), *often*, and ~~Sundays~~ `now`",
      "- one\n  - in",
      "3. three\n4. four",
      "- [x] Ask Carol\n- [ ] Ask Ben",
      "> quiet\n>\n> please",
      "```ts\na * b\n\nc\n```",
      "| Day | Hours |\n| --- | --- |\n| Mon | 9 |",
      "---",
      "",
    ].join("\n\n");
    expect(written(text).trim()).toBe(text.trim());
    expect(names(text)).toEqual([
      "heading",
      "paragraph",
      "bulletList",
      "orderedList",
      "taskList",
      "blockquote",
      "codeBlock",
      "table",
      "horizontalRule",
    ]);
  });

  it("[EDIT-33] keeps the ends of short lines, and joins wrapped lines", () => {
    const long = "a line that somebody’s program has broken where it became too wide";
    expect(readMarkdown(`Monday 9\nTuesday 12`).firstChild?.child(1).type.name).toBe("hardBreak");
    expect(readMarkdown(`${long}\nand goes on`).textContent).toBe(`${long} and goes on`);
  });

  it("[EDIT-33] reads tasks among items, a picture as a link, and an item that begins with a heading", () => {
    const tasks = readMarkdown("* [ ] a\n* b\n  * [X] c");
    expect(tasks.firstChild?.children.map(({ attrs }) => attrs.checked)).toEqual([false]);
    const [plain] = tasks.lastChild?.children ?? [];
    expect(plain?.type.name).toBe("listItem");
    expect(plain?.lastChild?.firstChild?.attrs.checked).toBe(true);
    const picture = readMarkdown("![a cat](https://example.org/cat.png)").firstChild?.firstChild;
    expect([picture?.text, picture?.marks[0]?.attrs.href]).toEqual([
      "a cat",
      "https://example.org/cat.png",
    ]);
    expect(() => readMarkdown("- # a\n- ```\n  b\n  ```\n\n-").check()).not.toThrow();
  });

  it("[EDIT-33] separates formatted text from plain text", () => {
    expect(
      ["# a", "*a*", "1. a", "https://example.org"].map((text) => saysMore(readMarkdown(text))),
    ).toEqual([true, true, true, true]);
    expect(
      ["a", "a\nb", "2 * 3 * 4", "#hash", "a_b_c"].map((text) => saysMore(readMarkdown(text))),
    ).toEqual([false, false, false, false, false]);
  });

  it("[EDIT-33] reads a paragraph of 100,000 lines", () => {
    const read = readMarkdown("a\n".repeat(100_000));
    expect(read.textContent).toBe("a".repeat(100_000));
  });

  it("[EDIT-33] leaves thousands of addresses without spaces unlinked, and links others", () => {
    const links = (text: string) => {
      let count = 0;
      readMarkdown(text).descendants(({ marks }) => void (count += marks.length));
      return count;
    };
    const run = "http://a.b/c,".repeat(1_500);
    expect(links(run)).toBe(0);
    expect(readMarkdown(run).textContent).toBe(run);
    // Finding the links once took quadratic time and froze the page for minutes.
    expect(links(run.replaceAll(",", "\n"))).toBe(1_500);
    expect(links("http://a.b/c")).toBe(1);
  });
});

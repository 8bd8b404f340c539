import { describe, expect, it } from "vitest";
import { Doc, XmlElement, XmlText } from "yjs";
import type { XmlFragment } from "yjs";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { layoutBreaks, leaf } from "./layout-breaks";
import { documentSchema } from "./schema";
import { editorHtml, staticHtml } from "./static-html";

function fragmentOf(content: object[]): XmlFragment {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(documentSchema.nodeFromJSON({ type: "doc", content }), fragment);
  return fragment;
}

const text = (words: string, ...marks: object[]) => ({
  type: "text",
  text: words,
  ...(marks.length > 0 ? { marks } : {}),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });

describe("the text as static HTML", () => {
  it("[EDIT-3] renders blocks and marks as the editor does", () => {
    const fragment = fragmentOf([
      { type: "heading", attrs: { level: 2 }, content: [text("Hours")] },
      paragraph(
        text("Open "),
        text("late ", { type: "bold" }),
        text("today", { type: "bold" }, { type: "italic" }),
      ),
      paragraph(),
      {
        type: "taskList",
        content: [
          { type: "taskItem", attrs: { checked: true }, content: [paragraph(text("Ask Carol"))] },
        ],
      },
      { type: "codeBlock", content: [text("a < b && c")] },
      { type: "horizontalRule" },
    ]);
    expect(staticHtml(fragment)).toBe(
      '<h3 data-level="2">Hours</h3><p>Open <strong>late <em>today</em></strong></p><p><br></p>' +
        '<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><label contenteditable="false">' +
        '<input type="checkbox" aria-label="Done" tabindex="-1" ' +
        'checked=""></label><div><p>Ask Carol</p></div></li></ul>' +
        '<pre><code spellcheck="false">a &lt; b &amp;&amp; c</code></pre><hr>',
    );
  });

  it("[EDIT-50] breaks a very long block where the editor does, outside all marks", () => {
    const words = "One sentence, then another. ".repeat(1_000);
    const long = paragraph(
      text(words.slice(0, 9_500)),
      text(words.slice(9_500, 20_000), { type: "bold" }),
      { type: "hardBreak" },
      text(words.slice(20_000)),
    );
    const [node] = documentSchema.nodeFromJSON({ type: "doc", content: [long] }).content.content;
    const textOf = (from: number, to: number) => node?.textBetween(from, to, undefined, leaf) ?? "";
    const breaks = layoutBreaks(node?.content.size ?? 0, textOf, false);
    const html = editorHtml(fragmentOf([long]));
    const pieces = html.split('<span class="layout-break" aria-hidden="true"></span>');
    const letters = (piece: string) => piece.replace("<br>", leaf).replace(/<[^>]*>/g, "");
    expect(breaks.length).toBeGreaterThan(3);
    expect(pieces.map(letters)).toEqual(
      [0, ...breaks].map((at, index) => textOf(at, breaks[index] ?? node?.content.size ?? 0)),
    );
    expect(
      pieces.filter(
        (piece) =>
          (piece.match(/<strong>/g)?.length ?? 0) !== (piece.match(/<[/]strong>/g)?.length ?? 0),
      ),
    ).toEqual([]);
    expect(staticHtml(fragmentOf([long]))).not.toContain("layout-break");
    expect(editorHtml(fragmentOf([paragraph(text(words.slice(0, 8_000)))]))).not.toContain(
      "layout-break",
    );
  });

  it("[EDIT-2] escapes markup in words, attributes and addresses", () => {
    const fragment = new Doc().getXmlFragment("default");
    const hostile = new XmlElement("paragraph");
    const words = new XmlText();
    hostile.insert(0, [words]);
    const heading = new XmlElement("heading");
    heading.setAttribute("level", "1><img src=x onerror=alert(1)>");
    fragment.insert(0, [hostile, heading, new XmlElement("script")]);
    words.insert(0, "<script>alert(1)</script>", { link: { href: "JaVa\tScript:alert(1)" } });
    expect(staticHtml(fragment)).toBe(
      '<p><span>&lt;script&gt;alert(1)&lt;/script&gt;</span></p><h2 data-level="1"><br></h2><div></div>',
    );
  });

  it("[EDIT-2] renders content nested twenty thousand deep", () => {
    const doc = new Doc();
    const fragment = doc.getXmlFragment("default");
    doc.transact(() => {
      let parent: XmlFragment = fragment;
      for (let depth = 0; depth < 20_000; depth += 1) {
        const child = new XmlElement("blockquote");
        parent.insert(0, [child]);
        parent = child;
      }
    });
    expect(staticHtml(fragment)).toContain("<blockquote>");
  });
});

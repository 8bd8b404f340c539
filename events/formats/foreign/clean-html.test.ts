import { DOMParser } from "@tiptap/pm/model";
import { prosemirrorJSONToYXmlFragment } from "@tiptap/y-tiptap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { markdownOf } from "@/events/content/markdown";
import { documentSchema } from "@/events/content/schema";
import { cases } from "@/events/core/cases.fixture";
import { cleanHtml } from "./clean-html";
import { copiedCode } from "./code.fixture";
import { copiedFromGoogle } from "./google.fixture";
import { copiedFromNotes } from "./notes.fixture";
import { copiedFromOffice } from "./office.fixture";
import { pageOf } from "./page.fixture";
import { treeOf } from "./tree";
import { copiedFromWord } from "./word.fixture";

const cleaned = (html: string) => cleanHtml(treeOf(pageOf(html)));

/** Parses HTML as the editor does. */
function read(html: string) {
  // The parser calls only what this node implements.
  const page = pageOf(html) as unknown as Node;
  return DOMParser.fromSchema(documentSchema).parse(page);
}

const corpus = [
  ...copiedFromGoogle,
  ...copiedFromWord,
  ...copiedFromOffice,
  ...copiedCode,
  ...copiedFromNotes,
];

describe("content copied from other programs", () => {
  it.each(corpus)("[EDIT-60] keeps its structure and loses its look: $from", (copied) => {
    const text = read(cleaned(copied.html) ?? "");
    const fragment = new Doc().getXmlFragment("default");
    prosemirrorJSONToYXmlFragment(documentSchema, text.toJSON(), fragment);
    expect(markdownOf(fragment)).toBe(copied.markdown);
    const marked: Record<string, string[]> = {};
    let headings = 0;
    text.descendants(({ type, text: words = "", marks }) => {
      if (type.name === "tableHeader") headings += 1;
      for (const { type } of marks)
        if (type.name === "underline") (marked.underline ??= []).push(words);
    });
    expect([marked, headings > 0]).toEqual([copied.marks ?? {}, copied.heading ?? false]);
  });

  it("[EDIT-61] is null for our own copies and for content without words, and empty for hidden words", () => {
    expect(cleaned('<p data-pm-slice="1 1 []">Ours.</p>')).toBeNull();
    expect(cleaned("<p><br></p><p>&nbsp;</p>")).toBeNull();
    expect(cleaned('<span style="display:none">secret</span>')).toBe("");
  });

  it("[EDIT-61] keeps our own files and links copied from a page without an editor", () => {
    const link = '<a data-document="0190b0b2-0000-7000-8000-000000000001">Roof</a>';
    const file = `<figure data-file="${"a".repeat(64)}" data-align="left"><img alt="tiles"></figure>`;
    expect(cleaned(`<div>See ${link}:</div>${file}`)).toBe(`<p>See ${link}:</p>${file}`);
  });
});

const names = [
  ..."a b blockquote code dd del div dl dt em font h1 h4 i ins li main ol p pre s section".split(
    " ",
  ),
  ..."span st1:place strong sub summary details table tbody td th tr u ul x-y".split(" "),
];
const attributes = [
  ' style="font-weight:700;text-decoration:underline line-through"',
  ' style="font-family:Menlo,monospace;white-space:pre"',
  ' style="mso-list:l0 level2 lfo1"',
  ' href="https://example.org/"',
  ' role="checkbox" aria-checked="true"',
  ' data-aria-level="3"',
  ' class="MsoListParagraph c1"',
  "",
];

/** Generates malformed HTML with the words w1, w2 and so on, and returns their number. */
const soup = fc
  .array(
    fc.oneof(
      fc.constant("word"),
      fc.constantFrom(
        " ",
        "\n",
        "<br>",
        "<hr>",
        "&nbsp;",
        "<!--[if !supportLists]-->",
        "<!--[endif]-->",
      ),
      fc.tuple(fc.constantFrom(...names), fc.constantFrom(...attributes), fc.boolean()),
    ),
    { maxLength: 60 },
  )
  .map((parts) => {
    let count = 0;
    const html = parts.map((part) => {
      if (part === "word") return `w${(count += 1)}.`;
      if (typeof part === "string") return part;
      const [name, attribute, isEnd] = part;
      return isEnd ? `</${name}>` : `<${name}${attribute}>`;
    });
    return { html: html.join(""), words: Array.from({ length: count }, (_, at) => `w${at + 1}.`) };
  });

describe("any pasted HTML", () => {
  it("[EDIT-62] keeps every visible word, makes a valid text, and stays the same when it is cleaned again", () => {
    fc.assert(
      fc.property(soup, ({ html, words }) => {
        const once = cleaned(html) ?? "";
        const text = read(once);
        text.check();
        const kept = text.textContent.match(/w\d+\./g) ?? [];
        expect([...kept].sort()).toEqual([...words].sort());
        expect(read(cleaned(once) ?? "").toJSON()).toEqual(text.toJSON());
      }),
      { numRuns: cases(400) },
    );
  });

  it("[EDIT-62] neither throws nor hangs", () => {
    // Large enough to expose slow code, although the largest paste is larger still.
    const most = cases(200_000);
    const filled = (piece: string) => piece.repeat(Math.ceil(most / piece.length));
    const heavy = [
      filled("<"),
      `<style>${filled("a,")}</style>`,
      `<style>${filled(".a{")}</style><p class="a">x</p>`,
      filled("<b><i>x</i></b>"),
      filled('<span style="font-weight:700">x</span>'),
      filled("x<br>"),
      filled("<p>x</p>\n"),
      filled("<br>"),
      filled("<li>x"),
      filled("<ul><li>☐ x</ul><p>☐ x"),
      // Browsers nest elements this deep.
      filled(`${"<div>".repeat(500)}x${"</div>".repeat(500)}`),
      `${"<blockquote>".repeat(500)}x`,
      '<p style="mso-list:l0 level999999 lfo1"><span style="mso-list:Ignore">1.</span>x</p>',
      `<p style="${filled(";")}">x</p>`,
      `<a href="https://www.google.com/url?${filled("q&")}">x</a>`,
      `<p class="${filled("lang-")}">x</p>`,
      `<style>.a{${"x:y;".repeat(25_000)}}</style>${'<p class="a">x'.repeat(10_000)}`,
      // A sheet has as many rows as columns, with only its first row bold.
      `<meta content="Excel"><table><tr>${"<td><b>x</b>".repeat(10_000)}` +
        `<tr>${"<td>x".repeat(10_000)}</table>`,
    ];
    for (const html of heavy)
      expect(typeof (cleaned(html) ?? ""), html.slice(0, 80)).toBe("string");
  });
});

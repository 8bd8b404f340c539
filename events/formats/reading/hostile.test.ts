import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { ImportError } from "./import-error";
import { readFile } from "../read-import";

const ways = {
  origin: "https://palimpsest.example",
  onRead: () => undefined,
  newId: () => "00000000-0000-4000-8000-000000000000",
  sizeOf: async () => null,
};

async function outcome(name: string, content: string | Uint8Array) {
  try {
    const bytes = typeof content === "string" ? strToU8(content) : content;
    const { documents, left } = await readFile(name, bytes, ways);
    for (const { text } of documents) text.check();
    const words = documents.map(
      ({ text, title }) => `${title} ${text.textBetween(0, text.content.size, " ", " ")}`,
    );
    return { words: words.join(" "), left: [...left.keys()], refused: null };
  } catch (error) {
    // Any other error is a bug and would not be shown to the person.
    if (!(error instanceof ImportError)) throw error;
    return { words: "", left: [], refused: error.message };
  }
}

const times = (text: string, count: number) => text.repeat(count);
const row = `<tr>${times("<td>word</td>", 100)}</tr>`;
const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const wordFile = (body: string) =>
  zipSync({
    "word/document.xml": strToU8(
      `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    ),
  });

/** Files built to stall a reader, each with the number of times that it contains "word". */
const read: [what: string, name: string, content: string, words: number][] = [
  ["nested elements", "a.html", `${times("<div><b><span>", 1_000)}word`, 1],
  ["nested quotations", "a.html", `${times("<blockquote>", 2_000)}word`, 1],
  ["nested lists", "a.html", `${times("<ul><li>", 1_500)}word`, 1],
  ["nested tables", "a.html", `${times("<table><tr><td>", 600)}word`, 1],
  ["unclosed marks", "a.html", `${times("<i><b><u>", 300)}${times("<p>word", 20)}`, 20],
  ["end tags without start tags", "a.html", `${times("</p></b></div>", 5_000)}word`, 1],
  ["nested summaries", "a.html", `${times("<summary>", 300)}word`, 1],
  ["headings and paragraphs in disorder", "a.html", `${times("<h1><p><h2>word", 500)}`, 500],
  ["unclosed comments", "a.html", `word${times("<!--", 20_000)}`, 1],
  ["cells", "a.html", `<table>${times(row, 50)}</table>`, 5_000],
  [
    "cells with large spans",
    "a.html",
    `<table>${times(row.replaceAll("<td", "<td colspan=64 rowspan=64"), 20)}</table>`,
    2_000,
  ],
  ["attributes", "a.html", times(`<p ${times("a=1 ", 1_000)}>word</p>`, 10), 10],
  ["a line", "a.html", `<p>${times("word ", 50_000)}`, 50_000],
  ["named character references", "a.html", `<p>word${times("&amp;", 20_000)}`, 1],
  ["a base that is not a URL", "a.html", '<base href="http://["><a href="http://[">word</a>', 1],
  ["a line", "a.md", times("word ", 50_000), 50_000],
  ["brackets", "a.md", `${times("[", 5_000)}word${times("](", 5_000)}`, 1],
  ["tags in a line", "a.md", `${times("<b>", 1_000)}word`, 1],
  ["unclosed details elements", "a.md", `${times("<details>\n\n", 600)}word`, 1],
  ["footnotes", "a.md", times("word[^a] ", 300) + "\n\n" + times("[^a]: word\n\n", 300), 600],
  ["unclosed front matter", "a.md", `---\n${times("word: 1\n", 5_000)}`, 5_000],
  ["cells of a row", "a.md", `|${times("word|", 1_000)}\n|${times("-|", 1_000)}`, 1_000],
];

describe("a file made to stall its reader", () => {
  it.each(read)(
    "[FORMAT-20] is read with all of its words: %s, %s",
    async (_, name, content, words) => {
      const { words: found, refused } = await outcome(name, content);
      expect(refused).toBe(null);
      expect(found.match(/word/g)).toHaveLength(words);
    },
  );

  it.each<[string, string, string | Uint8Array, RegExp]>([
    ["open elements", "a.html", times("<div>", 6_000), /nested too deeply/],
    ["nested templates", "a.html", times("<template>", 6_000), /nested too deeply/],
    ["attributes of one tag", "a.html", `<p ${times("a ", 3_000)}>word`, /2000 attributes/],
    [
      "nested parts of a Word file",
      "a.docx",
      wordFile(`${times("<w:x>", 500)}${times("</w:x>", 500)}`),
      /nested too deeply/,
    ],
    [
      "a truncated Word file",
      "a.docx",
      wordFile("<w:p>").slice(0, 90),
      /not a whole zip|not a Word/,
    ],
    ["a Word file without valid XML", "a.docx", wordFile("<w:p><"), /damaged/],
    ["a zip bomb named .docx", "a.docx", wordFile(times(" ", 5_000_000)), /zip bomb/],
    [
      "too many documents",
      "a.zip",
      zipSync(
        Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`${at}.md`, strToU8("x")])),
      ),
      /more than 2000 documents/,
    ],
  ])("[FORMAT-13] is refused with a sentence: %s", async (_, name, content, sentence) => {
    expect((await outcome(name, content)).refused).toMatch(sentence);
  });
});

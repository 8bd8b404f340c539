import mammoth from "mammoth";
import fc from "fast-check";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { documentSchema } from "@/events/content/schema";
import { cases } from "@/events/core/cases.fixture";
import { xmlLetters } from "./letters";
import { randomText } from "./random-text.fixture";
import { readMarkdownFile } from "../reading/read-markdown";
import { alone } from "../sources.fixture";
import { lettersOf, textTree } from "./text-tree";
import { wordFile } from "./word-file";

const links = {
  nameOf: () => ({ words: "", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
};

function treeOf(json: object) {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(documentSchema.nodeFromJSON(json), fragment);
  return textTree(fragment);
}

const read = async (bytes: Uint8Array) => mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
const squeezed = (text: string) => text.replace(/\s+/g, "");

describe("a Word file", () => {
  it("[FORMAT-2] holds headings, lists, tables, links and marks as such", async () => {
    const markdown = [
      "# T",
      "## Hours",
      "Open **late** and *often*, <u>so</u> ~~no~~ [see](https://a.example/x)",
      "3. three\n   - in it\n4. four",
      "| Day | Hours |\n| --- | --- |\n| Mon | 9 |",
      "שלום עולם",
    ].join("\n\n");
    const { text } = readMarkdownFile(markdown, alone);
    const { value } = await read(
      await wordFile("Ana & Ben’s <plan>", treeOf(text.toJSON()), links),
    );
    expect(value).toContain("Ana &amp; Ben’s &lt;plan&gt;");
    expect(value).toMatch(/<h2>(<a id="[^"]*"><\/a>)?Hours<\/h2>/);
    expect(value).toContain("<strong>late</strong>");
    expect(value).toContain('<a href="https://a.example/x">see</a>');
    expect(value).toMatch(/<ol><li>three<ul><li>in it<\/li><\/ul><\/li><li>four<\/li><\/ol>/);
    expect(value).toMatch(/<table>.*Mon.*<\/table>/);
    expect(value).toContain("שלום עולם");
  });

  it("[FORMAT-2] holds every letter of any text", async () => {
    await fc.assert(
      fc.asyncProperty(randomText, async (json) => {
        const tree = treeOf(json);
        const bytes = await wordFile("T", tree, links);
        const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
        const said = squeezed(value).replace(/^T/, "").replace(/[☐☑]/g, "");
        expect(said).toBe(squeezed(xmlLetters(lettersOf(tree))));
      }),
      { numRuns: cases(30) },
    );
  });
});

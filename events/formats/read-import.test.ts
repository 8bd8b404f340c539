import { zipSync } from "fflate";
import type { Zippable } from "fflate";
import { describe, expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { readFile } from "./read-import";
import { readMarkdownFile } from "./reading/read-markdown";
import { alone } from "./sources.fixture";
import { textTree } from "./writing/text-tree";
import { wordFile } from "./writing/word-file";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { Doc } from "yjs";

const { origin } = alone;
const ways = { origin, onRead: () => undefined, newId: () => "id", sizeOf: async () => null };
const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (name: string, content: Uint8Array | string) =>
  readFile(name, typeof content === "string" ? utf8(content) : content, ways);
const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, utf8(text)])));

const ooxml = "http://schemas.openxmlformats.org";

async function word(markdown: string, more: Zippable = {}): Promise<Uint8Array> {
  const { title, text } = readMarkdownFile(markdown, alone);
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(text, fragment);
  const links = { nameOf: () => ({ words: "", icon: null, state: "open" as const }), origin };
  const bytes = await wordFile(title ?? "", textTree(fragment), links);
  const { unzipSync } = await import("fflate");
  return zipSync({ ...unzipSync(bytes), ...more });
}

/** Reads the documents' paths, each with the names of its ancestors. */
async function paths(name: string, content: Uint8Array | string): Promise<string[]> {
  const { documents } = await read(name, content);
  return documents.map((document) => {
    const names = [document.title];
    for (let at = document.parent; at !== null; at = documents[at]?.parent ?? null)
      names.unshift(documents[at]?.title ?? "");
    return names.join("/");
  });
}

describe("an import", () => {
  it("[FORMAT-13] refuses an archive that declares a smaller size than it has", async () => {
    const bytes = zipSync({ "a.md": [utf8("Hello ".repeat(50)), { level: 0 }] });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    const listed = view.getUint32(end + 16, true);
    expect(view.getUint32(listed + 24, true)).toBe(300);
    view.setUint32(listed + 24, 0, true);
    await expect(read("a.zip", bytes)).rejects.toThrow("not a whole zip file");
  });

  it("[FORMAT-10] reads the same text from Markdown, HTML and Word", async () => {
    const markdown =
      "# Hours\n\n## Open\n\nFrom **ten** to *six*, [see](https://a.example/)\n\n- one\n  - two\n\n1. three\n\n" +
      "> quiet\n\n| Day | Hours |\n| --- | --- |\n| Mon | 9 |\n";
    const html =
      '<h1>Hours</h1><h2>Open</h2><p>From <b>ten</b> to <i>six</i>, <a href="https://a.example/">see</a></p>' +
      "<ul><li>one<ul><li>two</li></ul></li></ul><ol><li>three</li></ol><blockquote>quiet</blockquote>" +
      "<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Mon</td><td>9</td></tr></table>";
    const [one] = (await read("a.md", markdown)).documents;
    const [other] = (await read("b.html", html)).documents;
    const [third] = (await read("c.docx", await word(markdown))).documents;
    expect(one?.title).toBe("Hours");
    expect(other).toEqual(one);
    expect(third?.title).toBe("Hours");
    expect(third?.text.textContent).toBe(one?.text.textContent);
    expect(third?.text.children.slice(0, 4)).toEqual(one?.text.children.slice(0, 4));
  });

  it("[FORMAT-11] builds a tree from Notion, Outline and other archives", async () => {
    const id = "0123456789abcdef0123456789abcdef";
    const notion = zip({
      [`Reading group ${id}.md`]: "# Reading group\n\nHello",
      [`Reading group ${id}/Books ${id}.md`]: "# Books\n\nMany",
    });
    const outer = zipSync({ "Export-1-Part-1.zip": notion });
    expect(await paths("export.zip", outer)).toEqual(["Reading group", "Reading group/Books"]);
    const outline = zip({
      "Wiki/Start.md": "Hello",
      "Wiki/Start/Inside.md": "# Deeper",
      "Wiki/uploads/cat.png": "x",
      "__MACOSX/Wiki/._Start.md": "x",
    });
    expect(await paths("wiki.zip", outline)).toEqual(["Wiki", "Wiki/Start", "Wiki/Start/Deeper"]);
    expect([...(await read("wiki.zip", outline)).left]).toEqual([
      ["pictures that no document shows", 1],
    ]);
  });

  it("[FORMAT-12] counts the content that it leaves out", async () => {
    const { documents, left } = await read(
      "a.html",
      '<title>Page &amp; more</title><p>x<img src="https://evil.example/a.png" alt="cat">' +
        '<a href="javascript:alert(1)">y</a></p><script>z</script><iframe src="https://evil.example"></iframe>',
    );
    expect(documents[0]?.title).toBe("Page & more");
    expect(documents[0]?.text.textContent).toBe("xcaty");
    expect([...left]).toEqual([
      ["embedded pages", 1],
      ["pictures on other sites", 1],
      ["addresses that a link may not have", 1],
    ]);
    expect(JSON.stringify(documents[0]?.text.toJSON())).not.toMatch(/javascript|iframe/);
    const macros = {
      "word/vbaProject.bin": utf8("x"),
      "word/comments.xml": utf8(
        `<w:comments xmlns:w="${ooxml}/wordprocessingml/2006/main"><w:comment w:id="1"/></w:comments>`,
      ),
    };
    expect([...(await read("a.docx", await word("# T\n\nx", macros))).left]).toEqual([
      ["comments", 1],
    ]);
  });

  it.each<[string, string, () => Promise<Uint8Array | string> | Uint8Array | string, RegExp]>([
    ["0 bytes", "a.md", () => "", /empty/],
    ["another kind", "a.exe", () => "x", /\.md, \.html, \.docx or \.zip/],
    ["no zip", "a.zip", () => "PK not really", /not a whole zip/],
    ["no document", "a.zip", () => zip({ "a.bin": "x" }), /no Markdown/],
    ["a zip bomb", "a.zip", () => zip({ "a.md": "0".repeat(9_000_000) }), /zip bomb/],
    [
      "a bomb within",
      "a.zip",
      () => zipSync({ "b.zip": [zip({ "a.md": "0".repeat(9_000_000) }), { level: 0 }] }),
      /zip bomb/,
    ],
    ["no Word file", "a.docx", () => zip({ "word/other.xml": "<x/>" }), /not a Word file/],
    [
      "entities",
      "a.docx",
      () => word("# T", { "word/styles.xml": utf8('<!DOCTYPE x [<!ENTITY a "b">]><x/>') }),
      /entities/,
    ],
    [
      "entities in what is called a picture",
      "a.docx",
      () =>
        word("# T", {
          "_rels/.rels": utf8(
            `<Relationships xmlns="${ooxml}/package/2006/relationships"><Relationship Id="a" ` +
              `Type="${ooxml}/officeDocument/2006/relationships/officeDocument" ` +
              'Target="word/media/text.xml"/></Relationships>',
          ),
          "word/media/text.xml": utf8(
            '<!DOCTYPE x [<!ENTITY a "b">]>' +
              `<w:document xmlns:w="${ooxml}/wordprocessingml/2006/main">` +
              "<w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>",
          ),
        }),
      /defines entities/,
    ],
    [
      "broken XML",
      "a.docx",
      () => zip({ "word/document.xml": "<w:document><" }),
      /damaged|not a Word/,
    ],
    ["what has no end", "a.html", () => "<div>".repeat(100_000), /nested too deeply/],
    ["a tag of attributes", "a.html", () => `<p ${"a ".repeat(100_000)}>x`, /2000 attributes/],
    ["too much text", "a.md", () => "x".repeat(10 * 1024 * 1024 + 1), /too large/],
  ])("[FORMAT-13] refuses %s with a sentence", async (_what, name, make, sentence) => {
    await expect(Promise.resolve(make()).then((content) => read(name, content))).rejects.toThrow(
      sentence,
    );
  });

  it("[FORMAT-13] leaves out names that lead out of the archive, and cleans the others", async () => {
    const hostile = zip({
      "../up.md": "x",
      "/root.md": "x",
      "C:\\x.md": "x",
      "a\0b.md": "x",
      [`long ${"n".repeat(300)}.md`]: "x",
      "Plans \u202etxt.md": "x",
      "<script>.md": "x",
    });
    const { documents, left } = await read("a.zip", hostile);
    expect(left.get("files whose names lead out of the archive")).toBe(4);
    expect(
      documents.map(({ title }) => title.length <= 290 && !/[\u0000-\u001f\u202e]/.test(title)),
    ).toEqual([true, true, true]);
    expect(documents.map(({ title }) => title)).toContain("Plans txt");
  });

  it("[FORMAT-11] reads files named like hidden ones, and leaves out files of other programs", async () => {
    const archive = zip({
      ".NET basics.md": "x",
      ".NET/Deeper.md": "y",
      "._Notes.md": "system",
      "__MACOSX/._Notes.md": "system",
      ".DS_Store": "system",
      ".obsidian/Template.md": "settings",
    });
    expect(await paths("a.zip", archive)).toEqual([".NET basics", ".NET", ".NET/Deeper"]);
    expect([...(await read("a.zip", archive)).left]).toEqual([
      ["files in folders of other programs", 1],
    ]);
  });

  it("[FORMAT-11] reads names in UTF-8 from archives that declare no encoding", async () => {
    const bytes = zip({ "Café.md": "x" });
    // Sets bit 11 of the flags, in the local header and in the central directory.
    const heads = [0x04034b50, 0x02014b50];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + 10 < bytes.length; at += 1) {
      const kind = heads.indexOf(view.getUint32(at, true));
      if (kind >= 0) view.setUint16(at + 6 + 2 * kind, 0, true);
    }
    expect(await paths("a.zip", bytes)).toEqual(["Café"]);
  });

  it("[FORMAT-22] counts files with the same name as another file", async () => {
    const bytes = zip({ "a.md": "one", "b.md": "two" });
    const twice = bytes.map((byte) => (byte === 0x62 ? 0x61 : byte));
    const { documents, left } = await read("a.zip", twice);
    expect(documents).toHaveLength(1);
    expect([...left]).toEqual([["files of a name that another file of the archive has", 1]]);
  });

  it("[FORMAT-13] searches a page for its title once, whatever tags begin like one", async () => {
    const timeOf = async (tag: string) => {
      const began = performance.now();
      const [only] = (await read("a.html", `<p>x</p>${tag.repeat(300_000)}`)).documents;
      expect([only?.title, only?.text.textContent]).toEqual(["a", "x"]);
      return performance.now() - began;
    };
    const calm = Math.max(100, await timeOf("<tilde"));
    // The test takes minutes if the reader follows each tag to the end of the page.
    expect(await timeOf("<title")).toBeLessThan(20 * calm);
    const titled = await read("b.html", '<title data-a="b">Hours</title><p>x');
    expect(titled.documents[0]?.title).toBe("Hours");
  }, 600_000);

  it("[FORMAT-13] reads deeply nested files into a valid text", async () => {
    const deep = "> ".repeat(500) + "x";
    const html = "<div><blockquote>".repeat(100) + "x";
    for (const [name, content] of [
      ["a.md", deep],
      ["a.html", html],
    ] as const) {
      const { documents } = await read(name, content);
      const text = documents[0]?.text ?? documentSchema.node("doc");
      expect(() => text.check()).not.toThrow();
      expect(text.textContent).toContain("x");
    }
  });
});

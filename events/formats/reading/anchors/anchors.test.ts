import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { numberOfBlock } from "../file-anchors";
import { readFile } from "../../read-import";

let ids = 0;
const ways = {
  origin: "https://palimpsest.example",
  onRead: () => undefined,
  newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`,
  sizeOf: async () => null,
};

/** Reads the words of the blocks in a file or archive, and the words that each link leads to. */
async function readOf(name: string, files: Record<string, string>) {
  const packed = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
  const bytes = name.endsWith(".zip") ? zipSync(Object.fromEntries(packed)) : packed[0]?.[1];
  const { documents } = await readFile(name, bytes ?? new Uint8Array(), ways);
  const blocks = new Map(
    documents.map(({ id, text }) => {
      const words: string[] = [];
      text.descendants((node) => void (node.isInline || words.push(node.textContent)));
      return [id, words];
    }),
  );
  const links: string[] = [];
  for (const { text } of documents)
    text.descendants(({ text: words = "", marks }) => {
      const href: unknown = marks.find(({ type }) => type.name === "link")?.attrs.href;
      const [, id = "", block = ""] = /^\/d\/([^#]+)#?(.*)$/.exec(String(href)) ?? [];
      if (href === undefined) return;
      links.push(`${words} → ${blocks.get(id)?.[numberOfBlock(block) ?? -1] ?? "top"}`);
    });
  return { links, words: [...blocks.values()].map((words) => words.join("|")).join("||") };
}

const markdown = (text: string) => readOf("a.md", { "a.md": `[link](#x)\n\nBefore.\n\n${text}` });

describe("a link to a named place of Markdown", () => {
  it.each<[string, string, string]>([
    ["an anchor in a paragraph", 'Read <a name="x"></a>this.', "Read this."],
    ["an anchor by its id", "Read <a id='x'></a>this.", "Read this."],
    ["an anchor before a block", '<a name="x"></a>\n\n- Item\n- Other', "Item"],
    ["an anchor right above a heading", '<a name="x"></a>\n## Part\n\nwords', "Part"],
    ["an element around Markdown", '<div id="x">\n\n**Words** here\n\n</div>', "Words here"],
    ["an element of HTML", '<p>one</p>\n<section id="x"><p>two</p></section>', "two"],
    ["a cell of a table", '|a|b|\n|-|-|\n|one|<span id="x">two</span>|', "two"],
    ["an item of a list", '- one\n- <span id="x">two</span>', "two"],
    ["the second of two equal lines", 'Same\n\n<a name="x"></a>Same\n\nSame', "Same"],
    ["a heading’s attributes", "## Part one {#x}\n\nwords", "Part one"],
    ["attributes among others", '## Part *one* {#x .wide key="a b"}\n\nwords', "Part one"],
    ["attributes behind closing signs", "## Part one ## {#x}\n\nwords", "Part one"],
    ["attributes of an underlined heading", "Part one {#x}\n---\n\nwords", "Part one"],
    ["kramdown’s line below a heading", "## Part one\n{: #x .wide}\n\nwords", "Part one"],
    [
      "kramdown’s line below a paragraph",
      "Some *words*\nand more\n{: #x}\n\nwords",
      "Some words and more",
    ],
    ["MultiMarkdown’s label", "## Part one [x]\n\nwords", "Part one [x]"],
    ["a heading’s words", "## X\n\nwords", "X"],
  ])("[FORMAT-24] leads to its block: %s", async (_, text, expected) => {
    const { links, words } = await markdown(text);
    expect(links).toEqual([`link → ${expected}`]);
    expect(words).not.toContain("{");
  });

  it("[FORMAT-24] leads to the second of equal lines and to no other", async () => {
    const { documents } = await readFile(
      "a.md",
      strToU8('Same\n\n<a name="x"></a>Same\n\n[link](#x)'),
      ways,
    );
    const hrefs: string[] = [];
    documents[0]?.text.descendants(({ marks }) => {
      for (const { attrs } of marks) hrefs.push(String(attrs.href));
    });
    expect(hrefs.map((href) => numberOfBlock(href.split("#")[1] ?? ""))).toEqual([1]);
  });

  it.each([
    "## Sets {a, b}",
    "## Fix {#42}",
    "## Part \\{#x}",
    "## Part{#x}",
    "## Part `{#x}`",
    "## {#x} Part",
    "## Part {.wide}",
    "Part {#x}",
    "Part {: x}",
  ])("[FORMAT-22] keeps braces that are words: %s", async (text) => {
    const { words, links } = await markdown(text);
    expect(words).toContain("{");
    expect(links).toEqual([]);
  });

  // The search once took quadratic time, so that the test would not end.
  it("[FORMAT-20] [FORMAT-24] looks for attributes in one pass", async () => {
    const { words } = await markdown(`## a${" ".repeat(300_000)}b\n\n# {${"#a ".repeat(100_000)}b`);
    expect(words).toContain("{#a #a");
  });

  it("[FORMAT-24] leads from one file of an archive to a block of another", async () => {
    const { links } = await readOf("a.zip", {
      "Start.md": '[one](Other.md#x) [two](Page.html#y) <a name="s"></a>',
      "Other.md": "# Other {#top}\n\nWords\n\n## Part {#x}\n\n[back](Start.md#s)",
      "Page.html": '<p>a</p><ul><li>b<li id="y">c</ul><a href="Other.md#top">d</a>',
    });
    expect(links.toSorted()).toEqual(["back → one two", "d → top", "one → Part", "two → c"]);
  });
});

import type { Node } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html";
import { readMarkdownFile } from "./read-markdown";
import { alone } from "../sources.fixture";
import { htmlTree } from "./html-tree";

function reading(read: typeof readMarkdownFile, text: string) {
  const left = new Map<string, number>();
  const count = (what: string, by = 1) => void left.set(what, (left.get(what) ?? 0) + by);
  const { title, text: document } = read(text, { ...alone, left: count });
  return { title, blocks: document.children.map(told), left: [...left] };
}
const html = (text: string) => reading((page, sources) => readHtml(page, sources), text);
const markdown = (text: string) => reading(readMarkdownFile, text);

const spans = ({ attrs }: Node) =>
  [attrs.colspan > 1 ? `>${attrs.colspan}` : "", attrs.rowspan > 1 ? `v${attrs.rowspan}` : ""].join(
    "",
  );

/** Returns a block as one line, and a table as its cells with their spans. */
function told(block: Node): string {
  const { name } = block.type;
  if (name !== "table") return `${name}: ${block.textBetween(0, block.content.size, "/")}`;
  const rows = block.children.map((row) =>
    row.children.map((cell) => `${cell.textContent}${spans(cell)}`).join(" | "),
  );
  return `table: ${rows.join(" // ")}`;
}

describe("HTML among Markdown", () => {
  it("[FORMAT-22] keeps the words of folded sections and of boxes", () => {
    const text =
      "<details>\n<summary>More <b>here</b></summary>\n\nInside **it**\n\n</details>\n\nAfter";
    expect(markdown(text).blocks).toEqual([
      "paragraph: More here",
      "paragraph: Inside it",
      "paragraph: After",
    ]);
    expect(markdown('<div align="center">\n\n# Title\n\n</div>\n\nText')).toMatchObject({
      title: "Title",
      blocks: ["paragraph: Text"],
    });
  });

  it("[FORMAT-22] keeps tables, with or without Markdown in their cells", () => {
    expect(markdown("<table><tr><th>a</th><td>b</td></tr></table>").blocks).toEqual([
      "table: a | b",
    ]);
    const apart = "<table>\n<tr>\n\n<td>\n\n**a**\n\n</td>\n<td>b</td>\n</tr>\n</table>";
    expect(markdown(apart).blocks).toEqual(["table: a | b"]);
    expect(markdown("| a |\n| --- |\n| <ul><li>x</li><li>y</li></ul> |").blocks).toEqual([
      "table: a // xy",
    ]);
  });

  it("[FORMAT-22] keeps the words after an element that is never closed", () => {
    for (const open of ["<textarea>", "<script>", "<select>", "<svg>", "<template>", "<title>"])
      expect(JSON.stringify(markdown(`a ${open} b **c**\n\nd`).blocks)).toMatch(/b.*c.*d/);
  });

  it("[FORMAT-22] is counted if a text cannot hold it, and front matter as well", () => {
    expect(markdown("---\ntitle: Plan\ntags: a\n---\ntext\n\n<video>x</video>")).toEqual({
      title: "Plan",
      blocks: ["paragraph: text"],
      left: [
        ["videos and sounds", 1],
        ["lines of properties above a text", 1],
      ],
    });
    expect(markdown('+++\ntitle = "Plan"\n+++\ntext')).toEqual({
      title: "Plan",
      blocks: ["paragraph: text"],
      left: [],
    });
  });

  it("[FORMAT-22] finds the addresses of links in quotations", () => {
    const { text } = readMarkdownFile("> [a][b]\n>\n> [b]: https://a.example/", alone);
    expect(JSON.stringify(text.toJSON())).toContain("https://a.example/");
  });
});

describe("a page of HTML", () => {
  it("[FORMAT-23] keeps merged cells, each with its own words", () => {
    const table =
      "<table><tr><td rowspan=2>a</td><td colspan=2>b</td></tr>" +
      "<tr><td>c</td><td>d</td></tr><tr><td>e</td></tr></table>";
    expect(html(table).blocks).toEqual(["table: av2 | b>2 // c | d // e |  | "]);
  });

  it("[FORMAT-23] cuts spans at other cells and at the end of the table, and fills short rows", () => {
    const over =
      "<table><tr><td>a</td><td rowspan=9>b</td></tr><tr><td colspan=5>c</td></tr></table>";
    expect(html(over).blocks).toEqual(["table: a | bv2 // c"]);
    expect(html("<table><thead><tr><th rowspan=0>a<tbody><tr><td>b</table>").blocks).toEqual([
      "table: a // b",
    ]);
    expect(markdown("| a | b |\n| --- | --- |\n| c |").blocks).toEqual(["table: a | b // c | "]);
  });

  it("[FORMAT-23] counts tables whose merged cells come apart", () => {
    const row = `<tr>${"<td colspan=64 rowspan=64>x</td>".repeat(60)}</tr>`;
    const { blocks, left } = html(`<table>${row.repeat(60)}</table>`);
    expect(blocks[0]?.match(/x/g)).toHaveLength(3_600);
    expect(left).toEqual([["tables whose merged cells came apart", 1]]);
  });

  it("[FORMAT-22] keeps captions, formulas and words beside blocks", () => {
    expect(html("<table><caption>About</caption><tr><td>a<td>b<p>c</p></table>").blocks).toEqual([
      "paragraph: About",
      "table: a | bc",
    ]);
    const formula =
      '<p>so <span class="katex"><math><mi>x</mi><annotation>x^2</annotation></math><span>x2</span></span>';
    expect(html(formula).blocks).toEqual(["paragraph: so x^2"]);
    expect(html('<figure><img src="https://a.example/a" alt="A"><figcaption>Cap').blocks).toEqual([
      "paragraph: A Cap",
    ]);
  });

  it("[FORMAT-22] keeps a title that is too long, and repeats it as a heading", () => {
    const long = "word ".repeat(100).trim();
    const { title, blocks } = html(`<h1>${long}</h1><p>x`);
    expect(title).toBe(long);
    expect(blocks).toEqual([`heading: ${long}`, "paragraph: x"]);
    expect(html("<h1>one<br>two</h1><p>x").title).toBe("one two");
  });

  it("[FORMAT-22] gives content nested too deeply to the block around it", () => {
    const { blocks } = html(
      `${"<div><b>".repeat(1_000)}deep${"</b> after</div>".repeat(1_000)} end`,
    );
    expect(blocks.join(" ").match(/deep|after|end/g)).toHaveLength(1_002);
  });

  it("[FORMAT-13] is refused beyond the limits of elements, levels and attributes", () => {
    const limits = { elements: 100, levels: 10, open: 50, attributes: 20 };
    const tree = (text: string) => () => htmlTree(text, true, limits);
    // Each paragraph reopens all open marks.
    const marks = Array.from({ length: 30 }, (_, at) => `<b id=${at}>`).join("");
    expect(tree(`<p>${marks}${"<p>x".repeat(30)}`)).toThrow("more than 100 elements");
    expect(tree("<i>".repeat(51))).toThrow(RangeError);
    expect(tree("<template>".repeat(60))).toThrow(RangeError);
    expect(tree(`<p ${"a=1 ".repeat(40)}>`)).toThrow("more than 20 attributes");
    expect(tree(`a < ${"word ".repeat(100)}<p a=1>`)).not.toThrow();
  });
});

describe("a link to a document outside the file", () => {
  const [known, other] = [
    "6a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11",
    "7a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11",
  ];
  const titles = new Map([[known, "The  plan"]]);
  const sources = { ...alone, titleOf: (id: string) => titles.get(id) ?? null };
  const at = (id: string) => `${alone.origin}/d/${id}`;
  const runs = (text: Node) => {
    const said: string[] = [];
    text.descendants((node) => {
      const href: unknown = node.marks.find(({ type }) => type.name === "link")?.attrs.href;
      if (node.type.name === "documentLink") said.push(`link ${node.attrs.document}`);
      else if (href !== undefined) said.push(`${node.textContent} → ${String(href)}`);
    });
    return said;
  };

  it("[FORMAT-24] keeps its words, and becomes a document link if they are the title", () => {
    const expected = [`as agreed → /d/${other}#7-12`, `see here → /d/${known}`, `link ${known}`];
    const inMarkdown = `a [as agreed](${at(other)}#7-12) b [see here](${at(known)}) c [The plan](${at(known)})`;
    expect(runs(readMarkdownFile(inMarkdown, sources).text)).toEqual(expected);
    const inHtml = `<p>a <a href="${at(other)}#7-12">as agreed</a> b <a href="${at(known)}">see here</a> c <a href="${at(known)}">The plan</a></p>`;
    expect(runs(readHtml(inHtml, sources).text)).toEqual(expected);
  });
});

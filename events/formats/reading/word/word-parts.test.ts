import { describe, expect, it } from "vitest";
import { readFile } from "@/events/formats/read-import";
import { alone } from "@/events/formats/sources.fixture";
import { paragraph, run, wordBytes } from "./word-bytes.fixture";

const ways = {
  origin: alone.origin,
  onRead: () => undefined,
  newId: () => "id",
  sizeOf: async () => null,
};

async function read(body: string, parts: Record<string, string> = {}) {
  const { documents, left } = await readFile("a.docx", wordBytes(body, parts), ways);
  const blocks = documents[0]?.text.children.map((block) => {
    const from: unknown = block.attrs.start;
    const name = block.type.name + (typeof from === "number" ? ` from ${from}` : "");
    return `${name}: ${block.textBetween(0, block.content.size, "/", "/")}`;
  });
  return { blocks, left: [...left] };
}

describe("a Word file", () => {
  it("[FORMAT-25] gives its equations as words", async () => {
    const part = (name: string, words: string) =>
      `<m:${name}><m:r><m:t>${words}</m:t></m:r></m:${name}>`;
    const equation =
      `<m:oMath><m:r><m:t>x=</m:t></m:r><m:f>${part("num", "a+b")}${part("den", "2")}</m:f>` +
      `<m:rad>${part("e", "c")}</m:rad><m:sSup>${part("e", "d")}${part("sup", "2")}</m:sSup></m:oMath>`;
    const body =
      paragraph(`${run("so ")}${equation}`) + paragraph(`<m:oMathPara>${equation}</m:oMathPara>`);
    expect(await read(body)).toEqual({
      blocks: ["paragraph: so x=(a+b)/2√cd^2", "paragraph: x=(a+b)/2√cd^2"],
      left: [],
    });
  });

  it("[FORMAT-25] gives the words of text boxes once, below their paragraph", async () => {
    const box = (words: string) => `<w:txbxContent>${paragraph(run(words))}</w:txbxContent>`;
    const drawing = (words: string) =>
      `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box(words)}</wps:txbx>` +
      "</wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>";
    const old = (words: string) =>
      `<w:pict><v:oval><v:textbox>${box(words)}</v:textbox></v:oval></w:pict>`;
    const both = `<mc:AlternateContent><mc:Choice Requires="wps">${drawing("two")}</mc:Choice><mc:Fallback>${old("two")}</mc:Fallback></mc:AlternateContent>`;
    const lone = `<mc:AlternateContent><mc:Choice Requires="wps">${drawing("four")}</mc:Choice></mc:AlternateContent>`;
    const inRun = (inner: string) => `<w:r>${inner}</w:r>`;
    const body = paragraph(
      run("one") + inRun(both) + inRun(drawing("three")) + inRun(lone) + inRun(old("five")),
    );
    const words = ["one", "two", "three", "four", "five"];
    expect(await read(body + paragraph(run("six")))).toEqual({
      blocks: [...words, "six"].map((each) => `paragraph: ${each}`),
      left: [],
    });
  });

  it("[FORMAT-25] leaves out hidden content, and counts it by kind", async () => {
    const styles =
      '<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>';
    const body = paragraph(
      run("seen ") +
        run("hidden", "<w:vanish/>") +
        run("secret", '<w:rStyle w:val="Secret"/>') +
        run("not hidden", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>') +
        '<w:del w:id="1"><w:r><w:delText>deleted</w:delText></w:r></w:del>' +
        `<w:moveFrom w:id="2">${run("moved")}</w:moveFrom><w:moveTo w:id="3">${run(" moved")}</w:moveTo>`,
    );
    const header = paragraph(run("Draft"));
    expect(await read(body, { "word/styles.xml": styles, "word/header1.xml": header })).toEqual({
      blocks: ["paragraph: seen not hidden moved"],
      left: [
        ["hidden passages", 2],
        ["deleted passages of tracked changes", 1],
        ["headers and footers", 1],
      ],
    });
  });

  it("[FORMAT-25] continues the numbers of a list after other paragraphs, and begins a new list where it begins", async () => {
    const level = (at: number, more = '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>') =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/>${more}</w:lvl>`;
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0)}${level(1)}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, '<w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1)"/>')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>' +
      '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="8"/></w:lvlOverride></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>';
    const item = (words: string, list: number, at = 0) =>
      paragraph(run(words), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
    const body =
      item("a", 1) +
      item("b", 1) +
      paragraph(run("between")) +
      item("c", 1) +
      item("d", 1, 1) +
      item("e", 1) +
      item("f", 2) +
      item("g", 2) +
      paragraph(run("end")) +
      item("h", 3);
    expect(await read(body, { "word/numbering.xml": numbering })).toEqual({
      blocks: [
        "orderedList from 1: a/b",
        "paragraph: between",
        "orderedList from 3: c/d/e",
        "orderedList from 8: f/g",
        "paragraph: end",
        "orderedList from 1: h",
      ],
      left: [["labels of lists that are plain numbers now", 1]],
    });
  });

  it("[FORMAT-25] keeps the words of unknown elements", async () => {
    const ruby = `<w:r><w:ruby><w:rt>${run("kanji")}</w:rt><w:rubyBase>${run("base")}</w:rubyBase></w:ruby></w:r>`;
    const body =
      paragraph(`<w:fldSimple w:instr="AUTHOR">${run("field")}</w:fldSimple> ${ruby}`) +
      paragraph(
        `<w:dir w:val="rtl">${run("right")}</w:dir><w:r><w:t>a</w:t><w:cr/><w:t>b</w:t></w:r>`,
      );
    expect(await read(body)).toEqual({
      blocks: ["paragraph: fieldbase(kanji)", "paragraph: righta/b"],
      left: [],
    });
    const sign = '<w:r><w:sym w:font="Nobody" w:char="F0FF"/></w:r>';
    expect((await read(paragraph(run("x") + sign))).left).toEqual([
      ["signs of fonts that no letter stands for", 1],
    ]);
  });

  it("[FORMAT-23] keeps merged cells, each with its own words", async () => {
    const cell = (words: string, properties = "") =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(words))}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;
    const table =
      `<w:tbl>${row(cell("a", '<w:vMerge w:val="restart"/>'), cell("b", '<w:gridSpan w:val="2"/>'))}` +
      `${row(cell("", "<w:vMerge/>"), cell("c"), cell("d"))}</w:tbl>`;
    const { documents } = await readFile("a.docx", wordBytes(table), ways);
    const rows = documents[0]?.text.firstChild?.children.map((one) =>
      one.children.map(({ textContent, attrs }) => [textContent, attrs.colspan, attrs.rowspan]),
    );
    expect(rows).toEqual([
      [
        ["a", 1, 2],
        ["b", 2, 1],
      ],
      [
        ["c", 1, 1],
        ["d", 1, 1],
      ],
    ]);
  });
});

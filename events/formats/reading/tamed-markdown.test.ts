import { describe, expect, it } from "vitest";
import { importLimits } from "./import-error";
import { readMarkdownFile } from "./read-markdown";
import { readWord } from "./word/read-word";
import { mostLines, mostMarks, tamedMarkdown } from "./tamed-markdown";
import { wordFile } from "../writing/word-file";

const wordsIn = (text: string) => text.replace(/[^a-z]+/g, "");
/** Markdown that would occupy a browser for minutes. */
const hostile: [name: string, markdown: string][] = [
  ["unclosed emphasis", "*a_ ".repeat(8_000)],
  ["emphasis over several lines", "*a_ b\n".repeat(8_000)],
  ["nested quotations", `${">".repeat(50_000)} words`],
  ["nested lists", `${"- ".repeat(20_000)}words`],
  ["nested numbered lists", `${"1. ".repeat(20_000)}words`],
  ["unclosed brackets", `${"[".repeat(20_000)}words`],
  ["nested images", `${"![a](".repeat(8_000)}words`],
  ["stars", `${"*".repeat(20_000)}words${"*".repeat(20_000)}`],
  ["struck words", "~~a~ ".repeat(8_000)],
  ["unclosed code", Array.from({ length: 600 }, (_, at) => `${"`".repeat(at + 1)}a`).join("")],
];

describe("hostile Markdown", () => {
  it.each(hostile)(
    "[FORMAT-20] keeps its words, and reports paragraphs that became plain text: %s",
    (_, markdown) => {
      const left: string[] = [];
      const sources = {
        origin: "",
        left: (what: string) => left.push(what),
        pictureOf: () => null,
      };
      const { text } = readMarkdownFile(markdown, sources);
      const read = wordsIn(text.textBetween(0, text.content.size, " "));
      expect(read.length).toBeGreaterThanOrEqual(wordsIn(markdown).length);
      expect(left).toContain("paragraphs with too many marks, which came as plain text");
    },
  );

  it("[FORMAT-20] becomes several paragraphs if one has too many lines", () => {
    const sources = { origin: "", left: () => expect.unreachable(), pictureOf: () => null };
    const { text } = readMarkdownFile("words\n".repeat(2 * mostLines + 1), sources);
    expect(text.childCount).toBe(3);
    expect(wordsIn(text.textBetween(0, text.content.size, " "))).toBe(
      "words".repeat(2 * mostLines + 1),
    );
  });

  it("[FORMAT-20] stays unchanged if it is ordinary: code, tables, long lists and many links", () => {
    const ordinary = [
      "```c\n" + "char *a_b[3] = {*c};\n".repeat(2_000) + "```",
      "| *a* | _b_ |\n|---|---|\n" + "| `c` | [d](e) |\n".repeat(2_000),
      "- *a* and **b**\n".repeat(2_000),
      Array.from({ length: 500 }, () => "A *word* and a [link](there).").join("\n\n"),
      `${"> ".repeat(60)}words`,
      "*".repeat(mostMarks),
    ];
    const left = () => expect.unreachable();
    for (const markdown of ordinary) expect(tamedMarkdown(markdown, left)).toBe(markdown);
  });
});

describe("a Word file in an archive", () => {
  it("[FORMAT-20] counts towards the unpacked size of the archive", async () => {
    const words = {
      origin: "",
      nameOf: () => ({ words: "", icon: null, state: "open" as const }),
      images: new Map(),
    };
    const bytes = await wordFile("A title", [], words);
    const ways = {
      origin: "",
      left: () => undefined,
      pictureOf: () => null,
      onPicture: () => undefined,
    };
    const sum = { entries: 0, bytes: 0 };
    await readWord(bytes, { ...ways, sum });
    const once = { ...sum };
    await readWord(bytes, { ...ways, sum });
    expect(sum).toEqual({ entries: 2 * once.entries, bytes: 2 * once.bytes });
    sum.bytes = importLimits.unpacked;
    await expect(readWord(bytes, { ...ways, sum })).rejects.toThrow("Import it in parts");
  });
});

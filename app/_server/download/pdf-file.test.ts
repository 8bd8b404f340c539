import { describe, expect, it } from "vitest";
import type { TreeNode } from "@/events/formats/writing/text-tree";
import { pdfFile } from "./pdf-file";
import { breakable, fontsOf } from "./pdf-fonts";

const links = {
  nameOf: () => ({ words: "Budget", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
};
const paragraph = (text: string, marks = {}): TreeNode => ({
  name: "paragraph",
  attributes: {},
  children: [{ text, marks }],
});

describe("a PDF", () => {
  it("[FORMAT-3] has fonts for Latin, Greek, Cyrillic, Hebrew, Arabic and emoji", async () => {
    const words = [
      "Žluťoučký kůň",
      "Καλημέρα",
      "Привет",
      "שלום עולם",
      "مرحبا بالعالم",
      "📘 ✓ ☐ → ∀ ▪",
    ];
    const made = await pdfFile(
      "Title",
      "🕰️",
      words.map((word) => paragraph(word, { bold: true, italic: true })),
      links,
    );
    expect(made).not.toHaveProperty("missing");
    expect("bytes" in made && Buffer.from(made.bytes.subarray(0, 5)).toString()).toBe("%PDF-");
  });

  it.each([
    ["国际化文档", "Chinese", "宋体字与标点，“引号”。"],
    ["國際化文檔", "Traditional Chinese", "歷史的變化與體驗，「引號」。"],
    ["図書館の記録", "Japanese", "カタカナと漢字、「括弧」。"],
    ["문서의 역사", "Korean", "바뀐 것을 모두 봅니다."],
  ])("[FORMAT-3] sets “%s” in the %s font", async (title, font, words) => {
    const { text, code, missing } = await fontsOf(title + words);
    expect([text[7], code[7], missing]).toEqual([font, font, []]);
    const long = paragraph(words.repeat(40), { code: true });
    const made = await pdfFile(title, null, [paragraph(words.repeat(40)), long], links);
    expect(made).not.toHaveProperty("missing");
  });

  it("[FORMAT-3] breaks lines by the rules of their script, without hyphens", () => {
    expect(breakable("文档，历史。")).toEqual(["文", "", "档，", "", "历", "", "史。", ""]);
    expect(breakable("「記録」")).toEqual(["「記", "", "録」", ""]);
    expect(breakable("well-known")).toEqual(["well-", "", "known"]);
    expect(breakable("extraordinary")).toEqual(["extraordinary"]);
    const long = "文".repeat(400_000);
    expect(breakable(long).length).toBeLessThanOrEqual(50_000);
    expect(breakable(long).join("")).toBe(long);
  });

  it.each(["a // b", "=> != ==", "<!-- ++ -->", "標題 = '記録'; // コメント"])(
    "[FORMAT-3] has every sign of code: %s",
    async (code) => {
      const block = { name: "codeBlock", attributes: {}, children: [{ text: code, marks: {} }] };
      const made = await pdfFile("Title", null, [block, paragraph(code, { code: true })], links);
      expect(made).not.toHaveProperty("missing");
    },
  );

  it.each(["Hello！", "50㎡", "ＡＢＣ１２３"])(
    "[FORMAT-3] has full-width signs: %s",
    async (text) => {
      const made = await pdfFile("Title", null, [paragraph(text)], links);
      expect(made).not.toHaveProperty("missing");
    },
  );

  it("[FORMAT-3] reports the letters that its fonts lack instead of leaving them out", async () => {
    const made = await pdfFile("Title", null, [paragraph("東京 and ไทย")], links);
    expect(made).toEqual({ missing: ["ไ", "ท", "ย"] });
  });

  it("[FORMAT-3] takes any nodes and nesting, and drops script links", async () => {
    const cell: TreeNode = {
      name: "tableCell",
      attributes: { colspan: "9", rowspan: -1 },
      children: [paragraph("in")],
    };
    const list = (children: TreeNode[]): TreeNode => ({
      name: "bulletList",
      attributes: {},
      children: [{ name: "listItem", attributes: {}, children }],
    });
    let deep: TreeNode = paragraph("deep");
    for (let depth = 0; depth < 30; depth += 1) deep = list([deep]);
    const text: TreeNode[] = [
      {
        name: "table",
        attributes: {},
        children: [
          { name: "tableRow", attributes: {}, children: [cell] },
          { name: "tableRow", attributes: {}, children: [] },
        ],
      },
      { name: "codeBlock", attributes: {}, children: [] },
      { name: "unknown", attributes: {}, children: [paragraph("\u0000\u0007")] },
      paragraph("x".repeat(3_000)),
      paragraph("click", { link: { href: "javascript:alert(1)" } }),
      deep,
    ];
    const made = await pdfFile("", null, text, links);
    expect(made).not.toHaveProperty("missing");
    if ("bytes" in made)
      expect(Buffer.from(made.bytes).toString("latin1")).not.toContain("javascript");
  });
});

import { describe, expect, it } from "vitest";
import type { TreeNode } from "@/events/formats/text-tree";
import { pdfFile } from "./pdf-file";

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

  it("[FORMAT-3] names the letters that it cannot show, and is not made without them", async () => {
    const made = await pdfFile("Title", null, [paragraph("東京 and ไทย")], links);
    expect(made).toEqual({ missing: ["東", "京", "ไ", "ท", "ย"] });
  });

  it("[FORMAT-3] takes whatever a text holds, however it is nested", async () => {
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

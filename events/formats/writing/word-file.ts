import { Document, HeadingLevel, LineRuleType, Packer, Paragraph, TextRun } from "docx";
import { xmlLetters } from "./letters";
import type { FileLinks } from "./phrasing";
import type { TreeNode } from "./text-tree";
import { WordBlocks } from "./word-blocks";
import { codeFont } from "./word-runs";

/** Returns a document as a Word file. */
export async function wordFile(
  title: string,
  text: readonly TreeNode[],
  links: FileLinks,
): Promise<Uint8Array> {
  const blocks = new WordBlocks(links);
  const children = [
    new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(xmlLetters(title))] }),
    ...blocks.of(text),
  ];
  const spacing = { after: 160, line: 300, lineRule: LineRuleType.AUTO };
  const document = new Document({
    title: xmlLetters(title),
    creator: "Palimpsest",
    styles: {
      default: { document: { run: { font: "Georgia", size: 22 }, paragraph: { spacing } } },
      paragraphStyles: [
        {
          id: "Code",
          name: "Code",
          basedOn: "Normal",
          run: { font: codeFont, size: 19 },
          paragraph: { spacing: { ...spacing, line: 260 } },
        },
      ],
    },
    numbering: { config: blocks.numberings },
    sections: [{ children }],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}

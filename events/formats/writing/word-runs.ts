import { ExternalHyperlink, TextRun } from "docx";
import type { IRunOptions, ParagraphChild } from "docx";
import { pathOfTarget } from "@/events/content/document-address";
import { targetOf } from "@/events/content/document-link";
import { isFromTheRight, xmlLetters } from "./letters";
import { addressOf } from "./phrasing";
import type { FileLinks } from "./phrasing";
import { isText } from "./text-tree";
import type { TreeNode, TreeText } from "./text-tree";

export const codeFont = "Consolas";
const linkStyle: IRunOptions = { style: "Hyperlink" };

function runOptions({ text, marks }: TreeText): IRunOptions {
  const has = (name: string) => marks[name] !== undefined;
  return {
    text: xmlLetters(text),
    ...(has("bold") && { bold: true }),
    ...(has("italic") && { italics: true }),
    ...(has("underline") && { underline: {} }),
    ...(has("strike") && { strike: true }),
    ...(has("code") && { font: codeFont }),
    ...(isFromTheRight(text) && { rightToLeft: true }),
  };
}

/** Returns an address that works from a file. Addresses of this site become absolute. */
export function addressIn(href: string, origin: string): string | null {
  if (href.startsWith("/")) return `${origin}${href}`;
  return /^[#?]/.test(href) ? null : href;
}

/** Returns a block's words as Word runs. */
export function wordRuns(nodes: readonly TreeNode[], links: FileLinks): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    if (isText(node)) {
      const href = addressOf(node.marks.link);
      const link = href === null ? null : addressIn(href, links.origin);
      return link === null
        ? [new TextRun(runOptions(node))]
        : [
            new ExternalHyperlink({
              link,
              children: [new TextRun({ ...runOptions(node), ...linkStyle })],
            }),
          ];
    }
    if (node.name === "hardBreak") return [new TextRun({ break: 1 })];
    const target = node.name === "documentLink" ? targetOf(node.attributes) : null;
    if (target === null) return [];
    const { words, state } = links.nameOf(target.document);
    const text = xmlLetters(words);
    return state === "closed"
      ? [new TextRun({ text })]
      : [
          new ExternalHyperlink({
            link: `${links.origin}${pathOfTarget(target)}`,
            children: [new TextRun({ text, ...linkStyle })],
          }),
        ];
  });
}

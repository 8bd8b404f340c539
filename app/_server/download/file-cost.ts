import type { FileKind } from "@/events/formats/file-kinds";
import { isText } from "@/events/formats/writing/text-tree";
import type { TreeNode } from "@/events/formats/writing/text-tree";
import type { FileText } from "@/app/_server/workers/download-task";

/** The limits of a small file: letters for each format, by the cost of a letter, and images. */
const mostLetters: Record<FileKind, number> = {
  pdf: 40_000,
  docx: 100_000,
  html: 400_000,
  md: 400_000,
};
const fewImages = 8;
/** The fixed cost of a block or cell, in letters. */
const lettersOfBlock = 20;

function costOf(nodes: readonly TreeNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (isText(node) ? node.text.length : lettersOfBlock + costOf(node.children)),
    0,
  );
}

/** Whether a text can be written to a file within a second or two, estimated from its content. */
export function isSmallFile(kind: FileKind, text: FileText, images: number): boolean {
  const cost = "html" in text ? text.html.length : costOf(text.tree);
  return cost <= mostLetters[kind] && images <= fewImages;
}

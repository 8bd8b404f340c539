import type { FileKind } from "@/events/formats/file-kinds";
import { isText, type TreeNode } from "@/events/formats/writing/text-tree";
import type { FileText } from "@/app/_server/workers/download-task";

/** So many letters of a small file, by what a letter costs in its kind, and so many pictures. */
const mostLetters: Record<FileKind, number> = {
  pdf: 40_000,
  docx: 100_000,
  html: 400_000,
  md: 400_000,
};
const fewImages = 8;
/** A block or a cell costs as much as so many letters, however few it holds. */
const lettersOfBlock = 20;

function costOf(nodes: readonly TreeNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (isText(node) ? node.text.length : lettersOfBlock + costOf(node.children)),
    0,
  );
}

/** Whether a text is written to a file within a second or two, by what it holds. */
export function isSmallFile(kind: FileKind, text: FileText, images: number): boolean {
  const cost = "html" in text ? text.html.length : costOf(text.tree);
  return cost <= mostLetters[kind] && images <= fewImages;
}

import type { XmlFragment } from "yjs";
import { markdownFile } from "@/events/formats/markdown-file";
import type { FileLinks } from "@/events/formats/phrasing";
import { textTree } from "@/events/formats/text-tree";

/** A document as Markdown, the same as the file that is downloaded. */
export function copiedMarkdown(title: string, fragment: XmlFragment, links: FileLinks): string {
  return markdownFile(title, textTree(fragment), links);
}

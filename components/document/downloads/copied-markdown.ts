import type { XmlFragment } from "yjs";
import { markdownFile } from "@/events/formats/writing/markdown-file";
import type { FileLinks } from "@/events/formats/writing/phrasing";
import { textTree } from "@/events/formats/writing/text-tree";

/** Returns a document as Markdown, equal to the downloaded file. */
export function copiedMarkdown(title: string, fragment: XmlFragment, links: FileLinks): string {
  return markdownFile(title, textTree(fragment), links);
}

import type { SupabaseClient } from "@supabase/supabase-js";
import { unnamed } from "@/events/content/document-link";
import { staticHtml } from "@/events/content/static-html";
import { linkedIn } from "@/events/content/static-links";
import type { FileKind } from "@/events/formats/file-kinds";
import { imagesInTree } from "@/events/formats/writing/file-images";
import { linkedInTree, textTree } from "@/events/formats/writing/text-tree";
import type { TreeNode } from "@/events/formats/writing/text-tree";
import { embeddedImages } from "@/app/_server/download/embedded-images";
import type { ShownImage } from "@/app/_server/download/embedded-images";
import { linkNames } from "@/app/_server/download/link-names";
import { fold } from "./fold";
import type { FoldRequest } from "./fold";
import type { Tools } from "./task";

/** A text for a file: HTML for a web page, a tree for every other format. */
export type FileText = { html: string } | { tree: TreeNode[] };
type TextRequest = FoldRequest & { kind: FileKind };
/** `images` are the ids of the files in the text. */
type TextAnswer = { text: FileText; linked: string[]; images: string[]; stopped: boolean };

/** Reads the complete current text of a document, for a file. */
export async function fileText(
  client: SupabaseClient,
  { kind, ...request }: TextRequest,
  tools: Tools,
): Promise<TextAnswer> {
  // The fold never stops early: the file would present a partial text as complete.
  const folded = await fold(client, request, { ...tools, isLate: () => false });
  const fragment = folded.confirmed.doc.getXmlFragment("default");
  const stopped = folded.stoppedAt !== null;
  const tree = textTree(fragment);
  const images = imagesInTree(tree);
  if (kind === "html") {
    const html = staticHtml(fragment);
    return { text: { html }, linked: linkedIn(html), images, stopped };
  }
  return { text: { tree }, linked: linkedInTree(tree), images, stopped };
}

type FileRequest = {
  kind: FileKind;
  title: string;
  icon: string | null;
  text: FileText;
  /** The documents that the text links to. */
  linked: readonly string[];
  /** The images that the reader may see. */
  images: readonly ShownImage[];
  origin: string;
};

/** The bytes of a file, or the letters that a PDF cannot show. */
export type MadeFile = { bytes: Uint8Array } | { missing: string[] };

/**
 * Writes a text to a file of the given format, with images if the format supports them. `client` is
 * the reader's own, so links get only titles that the reader may see.
 */
export async function file(
  client: SupabaseClient,
  { kind, title, icon, text, linked, images: shown, origin }: FileRequest,
  tools: Tools,
): Promise<MadeFile> {
  const how = { plain: kind !== "html", isLate: tools.isLate };
  const images =
    kind === "md" || shown.length === 0
      ? new Map<string, never>()
      : await embeddedImages(tools.service(), shown, how);
  const names = await linkNames(client, linked);
  const links = { nameOf: (id: string) => names.get(id) ?? unnamed, origin, images };
  const words = new TextEncoder();
  if ("html" in text) {
    const { htmlFile } = await import("@/events/formats/writing/html-file");
    return { bytes: words.encode(htmlFile(title, icon, text.html, links)) };
  }
  switch (kind) {
    case "docx": {
      const { wordFile } = await import("@/events/formats/writing/word-file");
      return { bytes: await wordFile(title, text.tree, links) };
    }
    case "pdf": {
      const { pdfFile } = await import("@/app/_server/download/pdf-file");
      return pdfFile(title, icon, text.tree, links);
    }
    default: {
      const { markdownFile } = await import("@/events/formats/writing/markdown-file");
      return { bytes: words.encode(markdownFile(title, text.tree, links)) };
    }
  }
}

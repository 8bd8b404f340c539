import * as Y from "yjs";
import { escapedHtml } from "@/events/core/escaped-html";
import { documentAt } from "@/events/history/timeline/document-text";
import type { WholeTimeline } from "@/events/history/timeline/timeline";
import { documentMarkdown } from "@/events/content/markdown";
import { currentWriting, type MarkdownWriting } from "@/events/content/markdown-writing";
import { staticHtml } from "@/events/content/static-html";
import { secondWriting } from "./earlier-writing";

/**
 * The way in which Markdown and HTML are written; raise it when either changes, and keep the way
 * before it, so that older bundles are compared with what wrote them.
 */
export const rendering = 5;

/** How Markdown is written in the renderings that can be compared; HTML is the same in all of them. */
const writings: ReadonlyMap<number, MarkdownWriting> = new Map([
  [2, secondWriting],
  // The same, without links to documents, which no text had.
  [3, currentWriting],
  // The same, without pictures and files.
  [4, currentWriting],
  [rendering, currentWriting],
]);

export type FinalTexts = { title: string; markdown: string; html: string; json: string };

function page(title: string, content: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
</head>
<body>
<h1>${escapedHtml(title)}</h1>
${content}
</body>
</html>
`;
}

/** How Markdown was written in a rendering; null of one that this version does not know. */
export function writingOf(number: number): MarkdownWriting | null {
  return writings.get(number) ?? null;
}

/** The newest text of a history, told by its events alone, in the three forms of a bundle. */
export function finalTexts(timeline: WholeTimeline, writing = currentWriting): FinalTexts {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, timeline.state());
  const fragment = doc.getXmlFragment("default");
  const last = timeline.length - 1;
  const title = timeline.titleAt(last) || "Untitled";
  return {
    title,
    markdown: documentMarkdown(title, fragment, writing),
    html: page(title, staticHtml(fragment)),
    json: `${JSON.stringify({ title, document: documentAt(timeline.blocks, last) }, null, 2)}\n`,
  };
}

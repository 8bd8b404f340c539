import * as Y from "yjs";
import type { Ruled } from "@/events/core/envelope";
import { escapedHtml } from "@/events/core/text/escaped-html";
import { documentAt } from "@/events/history/timeline/document-text";
import type { WholeTimeline } from "@/events/history/timeline/timeline";
import { documentMarkdown } from "@/events/content/markdown";
import { currentWriting } from "@/events/content/markdown-writing";
import type { MarkdownWriting } from "@/events/content/markdown-writing";
import { staticHtml } from "@/events/content/static-html";
import { bundledFiles, imagePolicy } from "./bundled-files";
import { secondWriting } from "./earlier-writing";

/**
 * The version of rendering Markdown and HTML. Raise this number when either changes, and keep the
 * previous rendering, so that older bundles are compared with their own.
 */
export const rendering = 5;

/**
 * The rendering of a bundle's texts: the Markdown writer, and whether addresses of files point into
 * the bundle.
 */
type Rendering = { markdown: MarkdownWriting; files: boolean };

const current: Rendering = { markdown: currentWriting, files: true };

/** The renderings that a bundle can be compared with. */
const renderings: ReadonlyMap<number, Rendering> = new Map([
  [2, { markdown: secondWriting, files: false }],
  // The same as rendering 4, without document links, which no text had.
  [3, { markdown: currentWriting, files: false }],
  // The same as the current rendering, without images and files.
  [4, { markdown: currentWriting, files: false }],
  [rendering, current],
]);

export type FinalTexts = { title: string; markdown: string; html: string; json: string };

/** Lays out images as the product does, no wider than the window. */
const pageStyle =
  "body{max-inline-size:44rem;margin:2rem auto;padding-inline:1rem}" +
  "figure.image{inline-size:var(--scale,100%);margin-inline:0 auto}" +
  "figure[data-align=center]{margin-inline:auto}figure[data-align=right]{margin-inline:auto 0}" +
  "img{display:block;inline-size:100%;block-size:auto}";

function page(title: string, content: string, files: boolean): string {
  // An image's width is an inline style. Styles can load only images, and only from here.
  const policy = files ? `; style-src 'unsafe-inline'; ${imagePolicy}` : "";
  const style = files ? `\n<style>${pageStyle}</style>` : "";
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>${style}
</head>
<body>
<h1>${escapedHtml(title)}</h1>
${content}
</body>
</html>
`;
}

/** Returns a rendering by its number, or null if this version does not know the number. */
export function renderingOf(number: number): Rendering | null {
  return renderings.get(number) ?? null;
}

/** Matches an attribute with a file's address. Quotation marks in people's words are escaped. */
const shown = /(src|href)="\/files\/([0-9a-f-]{36})(?:\?w=\d+)?"/g;

/**
 * Renders a history's newest text, from its events alone, in the three formats of a bundle. `rows`
 * determine the bundle's file paths. Without them, addresses stay those of the product.
 */
export function finalTexts(
  timeline: WholeTimeline,
  rows: readonly Ruled[] = [],
  { markdown, files } = current,
): FinalTexts {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, timeline.state());
  const fragment = doc.getXmlFragment("default");
  const last = timeline.length - 1;
  const title = timeline.titleAt(last) || "Untitled";
  const paths = files ? bundledFiles(rows) : new Map<string, string>();
  // The texts are in a separate folder of the bundle.
  const pathOf = (file: string) => {
    const path = paths.get(file);
    return path === undefined ? null : `../${path}`;
  };
  const html = staticHtml(fragment).replace(shown, (whole, name: string, file: string) => {
    const path = pathOf(file);
    return path === null ? whole : `${name}="${path}"`;
  });
  const writing = { ...markdown, file: (file: string) => pathOf(file) ?? markdown.file(file) };
  return {
    title,
    markdown: documentMarkdown(title, fragment, writing),
    html: page(title, html, files),
    json: `${JSON.stringify({ title, document: documentAt(timeline.blocks, last) }, null, 2)}\n`,
  };
}

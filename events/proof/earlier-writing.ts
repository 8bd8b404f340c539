import type { MarkdownWriting } from "@/events/content/markdown-writing";

const same = (text: string) => text;

/**
 * The Markdown of rendering 2: titles are verbatim, and line beginnings are not escaped. Bundles of
 * that rendering are compared with it.
 */
export const secondWriting: MarkdownWriting = {
  words: (text) => text.replace(/[\\`*_[\]<>]/g, "\\$&"),
  code: same,
  codeBlock: same,
  address: same,
  joined: (runs) => runs.join(""),
  paragraph: same,
  heading: same,
  title: (title) => title.replace(/\s+/g, " "),
  // No text of that time had document links or files.
  documentLink: () => "",
  file: () => "",
};

import type { MarkdownWriting } from "@/events/content/markdown-writing";

const same = (text: string) => text;

/**
 * The Markdown of rendering 2: titles verbatim, and nothing escaped at the beginning of a line.
 * Bundles of that time are compared with it.
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
  // No text had any.
  documentLink: () => "",
  file: () => "",
};

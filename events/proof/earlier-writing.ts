import type { MarkdownWriting } from "@/events/content/markdown-writing";

const same = (text: string) => text;

/**
 * How Markdown was written in rendering 2: titles as they were, and no sign at the beginning of a
 * line escaped. Bundles of that time are compared with it.
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

/** A program's HTML on the clipboard, and our text for it, as Markdown. */
export type Copied = {
  from: string;
  html: string;
  markdown: string;
  /** Words under each mark that Markdown lacks. */
  marks?: Readonly<Record<string, readonly string[]>>;
  /** Whether the table has a heading, which Markdown gives to every table. */
  heading?: boolean;
};

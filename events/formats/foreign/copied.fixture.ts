/** A program's HTML on the clipboard, and our text of it, as Markdown. */
export type Copied = {
  from: string;
  html: string;
  markdown: string;
  /** Words by a mark that Markdown lacks. */
  marks?: Readonly<Record<string, readonly string[]>>;
  /** Whether its table has a heading, which Markdown gives to all tables. */
  heading?: boolean;
};

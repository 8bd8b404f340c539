/** What a program puts on the clipboard as HTML, and what of it is text of ours, as Markdown. */
export type Copied = {
  from: string;
  html: string;
  markdown: string;
  /** Words by a mark that Markdown cannot say. */
  marks?: Readonly<Record<string, readonly string[]>>;
  /** Whether its table has a heading, which Markdown gives to all tables. */
  heading?: boolean;
};

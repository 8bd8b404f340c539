import { searchedWords } from "@/events/core/text/searched-words";
import type { SearchResult } from "@/events/read-models/search";

/** A passage is found again by so many of its letters. */
const longestPassage = 80;

/** The words of a result that were looked for, from the first to the last of them. */
export function foundIn({ text }: SearchResult, words: string): string {
  const ranges = searchedWords(text, words) ?? [];
  return text.slice(ranges[0]?.from ?? 0, ranges.at(-1)?.to ?? text.length);
}

/** The revision at which a result stood last: of who may not read the history, a named version. */
export function stoodAddress({ document, stoodAt, stoodEdit, named }: SearchResult): string {
  if (named !== undefined) return `/d/${document}?version=${stoodAt ?? 1}`;
  const edit = typeof stoodEdit === "number" ? `&edit=${stoodEdit}` : "";
  return `/d/${document}?at=${stoodAt ?? 1}${edit}`;
}

/**
 * Where a result leads: to its words in the document, which are scrolled to and marked; where they
 * do not stand any more, to when they did.
 */
export function resultAddress(result: SearchResult, words: string): string {
  const { document, kind, text, stands, thread, block } = result;
  if (kind === "comment" && stands && thread !== null) return `/d/${document}?thread=${thread}`;
  if (!stands) return stoodAddress(result);
  if (kind === "link") return `/d/${document}${block === undefined ? "" : `#${block}`}`;
  if (kind === "title") return `/d/${document}`;
  const from = searchedWords(text, words)?.[0]?.from ?? 0;
  const passage = text.slice(Math.max(0, from - 20), from + longestPassage);
  return `/d/${document}?${new URLSearchParams({ find: words, passage }).toString()}`;
}

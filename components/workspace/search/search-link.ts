import { searchedWords } from "@/events/core/text/searched-words";
import type { SearchResult } from "@/events/read-models/search";

/** The number of letters that identify a passage. */
const longestPassage = 80;

/** Returns the matched words of a result, from the first to the last. */
export function foundIn({ text }: SearchResult, words: string): string {
  const ranges = searchedWords(text, words) ?? [];
  return text.slice(ranges[0]?.from ?? 0, ranges.at(-1)?.to ?? text.length);
}

/**
 * Returns the URL of the last revision that contained a result. For restricted readers, returns the
 * URL of a named version.
 */
export function stoodAddress({ document, stoodAt, stoodEdit, named }: SearchResult): string {
  if (named !== undefined) return `/d/${document}?version=${stoodAt ?? 1}`;
  const edit = typeof stoodEdit === "number" ? `&edit=${stoodEdit}` : "";
  return `/d/${document}?at=${stoodAt ?? 1}${edit}`;
}

/**
 * Returns the URL of a result. For current words, the page scrolls to the words and marks them. For
 * deleted words, the URL names the last revision that contained them.
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

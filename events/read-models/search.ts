import * as z from "zod/mini";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const result = z.object({
  document: z.string(),
  /** A link has its target's title as its text, and neither author nor time. */
  kind: z.enum(["title", "text", "comment", "link"]),
  text: z.string(),
  /** Whether it stands in the text now. */
  stands: z.boolean(),
  thread: z.nullable(z.string()),
  /** For a link: the block that contains it, and its target document. */
  block: z.optional(z.string()),
  target: z.optional(z.string()),
  /**
   * The person who wrote most of it, and when they last did; hidden from readers without access to
   * the history.
   */
  author: z.optional(z.string()),
  /** The people who typed a word of it; empty if they are unknown here. */
  authors: z.optional(z.array(z.string())),
  since: z.optional(z.string()),
  /** The version that made it so. */
  from: z.optional(z.number()),
  /** When and by whom it was changed, and whether words of it were deleted then. */
  until: z.optional(z.nullable(z.string())),
  endedBy: z.optional(z.nullable(z.string())),
  gone: z.optional(z.boolean()),
  /**
   * The last revision at which it stood; for readers without access to the history, a named
   * version.
   */
  stoodAt: z.optional(z.nullable(z.number())),
  stoodEdit: z.optional(z.nullable(z.number())),
  named: z.optional(z.string()),
});
const answer = z.nullable(
  z.object({
    results: z.array(result),
    found: z.number(),
    documents: z.array(z.object({ id: z.string(), found: z.number() })),
    isMore: z.boolean(),
  }),
);

/** A search result: a stretch of text, a title or a comment. */
export type SearchResult = z.infer<typeof result>;
/**
 * Results, newest first; `found` counts all of them, and `documents` the documents with results.
 */
export type SearchAnswer = NonNullable<z.infer<typeof answer>>;
/** Where to search: in the current text, or in everything ever written. */
export type SearchScope = "now" | "ever";

export type SearchRequest = {
  words: string;
  scope?: SearchScope;
  author?: string | null;
  /** Only text written or deleted between these ISO times. */
  since?: string | null;
  until?: string | null;
  /** The workspace as of this time; null for now. */
  at?: string | null;
  /** Whether documents in the trash are searched too. */
  withTrash?: boolean;
  /** The most results, at most 200. */
  most?: number;
};

/** Longer than any text that can be found. */
export const longestWords = 1_000;

/** Parses the database's answer to a search; null if the caller is no member of the workspace. */
export function parseSearch(value: unknown): SearchAnswer | null {
  return answer.parse(value);
}

/** Searches a workspace under the caller's rights; null if they are no member of it. */
export async function search(
  rows: Pick<Rows, "rpc">,
  workspace: string,
  request: SearchRequest,
): Promise<SearchAnswer | null> {
  const { data, error, status } = await rows.rpc("search", {
    workspace,
    // PostgreSQL text can hold neither NUL nor lone surrogates.
    words: request.words
      .slice(0, longestWords + 1)
      .replaceAll("\0", " ")
      .replace(loneSurrogates, " "),
    scope: request.scope ?? "now",
    author: request.author ?? null,
    since: request.since ?? null,
    until: request.until ?? null,
    at_time: request.at ?? null,
    with_trash: request.withTrash ?? false,
    max_count: request.most ?? 50,
  });
  if (error) throw faultOf(error, status);
  return parseSearch(data);
}

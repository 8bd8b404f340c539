import * as z from "zod/mini";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const result = z.object({
  document: z.string(),
  /** The text of a link is its target's title. A link has neither author nor time. */
  kind: z.enum(["title", "text", "comment", "link"]),
  text: z.string(),
  /** Whether the text is in the document now. */
  stands: z.boolean(),
  thread: z.nullable(z.string()),
  /** For a link: the block that contains it, and its target document. */
  block: z.optional(z.string()),
  target: z.optional(z.string()),
  /**
   * The person who wrote most of the text, and when they last did. Hidden from readers without
   * access to the history.
   */
  author: z.optional(z.string()),
  /** The people who typed a word of the text. Empty if they are unknown here. */
  authors: z.optional(z.array(z.string())),
  since: z.optional(z.string()),
  /** The version at which the text came to read so. */
  from: z.optional(z.number()),
  /** The time and person of the text's change, and whether the change deleted words of it. */
  until: z.optional(z.nullable(z.string())),
  endedBy: z.optional(z.nullable(z.string())),
  gone: z.optional(z.boolean()),
  /**
   * The last revision at which the text stood. For readers without access to the history, a named
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
 * Results, newest first. `found` counts all results, and `documents` the documents with results.
 */
export type SearchAnswer = NonNullable<z.infer<typeof answer>>;
/** The text to search: the current text, or everything ever written. */
export type SearchScope = "now" | "ever";

export type SearchRequest = {
  words: string;
  scope?: SearchScope;
  author?: string | null;
  /** The ISO times between which the text was written or deleted. */
  since?: string | null;
  until?: string | null;
  /** The time at which the workspace is searched. Null means now. */
  at?: string | null;
  /** Whether documents in the trash are searched too. */
  withTrash?: boolean;
  /** The most results, at most 200. */
  most?: number;
};

/** The most characters of a request, more than any text that can be found. */
export const longestWords = 1_000;

/** Parses the database's answer to a search, which is null if the caller is not a member. */
export function parseSearch(value: unknown): SearchAnswer | null {
  return answer.parse(value);
}

/** Searches a workspace under the caller's rights. Resolves to null if they are no member. */
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

import * as z from "zod/mini";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const result = z.object({
  document: z.string(),
  /** A link reads as the title of the document that it leads to, and has neither author nor time. */
  kind: z.enum(["title", "text", "comment", "link"]),
  text: z.string(),
  /** Whether it stands in the text now. */
  stands: z.boolean(),
  thread: z.nullable(z.string()),
  /** Of a link: the block that it stands in, and the document that it leads to. */
  block: z.optional(z.string()),
  target: z.optional(z.string()),
  /** Who wrote most of it, and when they did last; not told to who may not read the history. */
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
  /** The last revision at which it stood; for who may not read the history, a version that has a name. */
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

/** Words that were found: a stretch of text, a title or a comment. */
export type SearchResult = z.infer<typeof result>;
/** What was found, the newest first; `found` counts all of it, and `documents` in which. */
export type SearchAnswer = NonNullable<z.infer<typeof answer>>;
/** Where somebody searches: in the text as it is, or in everything ever written. */
export type SearchScope = "now" | "ever";

export type SearchRequest = {
  words: string;
  scope?: SearchScope;
  author?: string | null;
  /** Only what was written or deleted from then until then (ISO times). */
  since?: string | null;
  until?: string | null;
  /** As the workspace was at this time; null as it is. */
  at?: string | null;
  /** Whether documents in the trash are searched, too. */
  withTrash?: boolean;
  /** How many results are told, at most 200. */
  most?: number;
};

/** More letters than of anything that is found. */
export const longestWords = 1_000;

/** What the database answers to a search; null where the workspace is not the caller's. */
export function parseSearch(value: unknown): SearchAnswer | null {
  return answer.parse(value);
}

/** Searches a workspace under the caller's rights; null where it is not theirs. */
export async function search(
  rows: Pick<Rows, "rpc">,
  workspace: string,
  request: SearchRequest,
): Promise<SearchAnswer | null> {
  const { data, error, status } = await rows.rpc("search", {
    workspace,
    // No text in a database can hold either.
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

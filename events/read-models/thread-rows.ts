import * as z from "zod/mini";
import { readRows, type Rows } from "./projections";

const threadRow = z.pipe(
  z.object({
    id: z.string(),
    phase: z.string(),
    anchor_start: z.string(),
    anchor_end: z.string(),
    quote: z.string(),
    opened_by: z.string(),
    opened_at: z.string(),
    opened_version: z.int(),
    resolved_by: z.nullable(z.string()),
    resolved_at: z.nullable(z.string()),
  }),
  z.transform((row) => ({
    id: row.id,
    phase: row.phase,
    start: row.anchor_start,
    end: row.anchor_end,
    quote: row.quote,
    openedBy: row.opened_by,
    openedAt: row.opened_at,
    openedVersion: row.opened_version,
    resolvedBy: row.resolved_by,
    resolvedAt: row.resolved_at,
  })),
);
export type ThreadRow = z.output<typeof threadRow>;

const commentRow = z.pipe(
  z.object({
    id: z.string(),
    phase: z.string(),
    thread_id: z.string(),
    text: z.string(),
    author_id: z.string(),
    added_at: z.string(),
    edited_at: z.nullable(z.string()),
  }),
  z.transform((row) => ({
    id: row.id,
    phase: row.phase,
    thread: row.thread_id,
    text: row.text,
    authorId: row.author_id,
    addedAt: row.added_at,
    editedAt: row.edited_at,
  })),
);
export type CommentRow = z.output<typeof commentRow>;

const pageSize = 1000;

async function allOf<T>(
  rows: Rows,
  table: string,
  documentId: string,
  order: string,
  row: { parse: (value: unknown) => T },
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const query = rows
      .from(table)
      .select("*")
      .eq("document_id", documentId)
      .order(order)
      .order("id");
    const page = readRows(await query.range(all.length, all.length + pageSize - 1), row);
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

/** The threads of a document, in the order they were opened. */
export function threadsOf(rows: Rows, documentId: string): Promise<ThreadRow[]> {
  return allOf(rows, "threads", documentId, "opened_at", threadRow);
}

/** The comments of a document, in the order they were said. */
export function commentsOf(rows: Rows, documentId: string): Promise<CommentRow[]> {
  return allOf(rows, "comments", documentId, "added_at", commentRow);
}

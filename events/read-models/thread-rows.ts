import * as z from "zod/mini";
import { rowsAtATime } from "@/events/core/pages";
import { allRows, readByIds, readRows, sorted } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

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

/** Reads a document's threads, in order of opening. */
export async function threadsOf(rows: Rows, documentId: string): Promise<ThreadRow[]> {
  const all = () => rows.from("threads").select("*").eq("document_id", documentId);
  return sorted(await allRows(all, ["id"], threadRow), ({ openedAt }) => openedAt);
}

/** Reads a document's comments, in order of posting. */
export async function commentsOf(rows: Rows, documentId: string): Promise<CommentRow[]> {
  const all = () => rows.from("comments").select("*").eq("document_id", documentId);
  return sorted(await allRows(all, ["id"], commentRow), ({ addedAt }) => addedAt);
}

/**
 * Reads a document's newest threads with all of their comments, at most `rowsAtATime` of each, in
 * the order of `threadsOf` and `commentsOf`. `isWhole` is true if the document has no others.
 */
export async function newestThreads(
  rows: Rows,
  documentId: string,
): Promise<{ threads: ThreadRow[]; comments: CommentRow[]; isWhole: boolean }> {
  const all = rows.from("threads").select("*").eq("document_id", documentId);
  const newest = all.order("opened_at", { ascending: false }).order("id");
  const read = readRows(await newest.limit(rowsAtATime + 1), threadRow);
  const threads = read.slice(0, rowsAtATime);
  const ids = threads.map(({ id }) => id);
  const behind = await readByIds(ids, async (some) => {
    const inThem = rows.from("comments").select("*").eq("document_id", documentId);
    const latest = inThem.in("thread_id", some).order("added_at", { ascending: false });
    return readRows(await latest.limit(rowsAtATime + 1), commentRow);
  });
  const said = sorted(behind, ({ addedAt }) => addedAt, -1);
  // A thread that was opened after the newest omitted comment has all of its comments.
  const left = said[rowsAtATime]?.addedAt ?? "";
  const whole = threads.filter(({ openedAt }) => openedAt > left);
  const shown = new Set(whole.map(({ id }) => id));
  return {
    threads: sorted(whole, ({ openedAt }) => openedAt),
    comments: sorted(
      said.filter(({ thread }) => shown.has(thread)),
      ({ addedAt }) => addedAt,
    ),
    isWhole: whole.length === read.length,
  };
}

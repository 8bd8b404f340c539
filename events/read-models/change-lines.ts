/**
 * Lines that describe what one person did in a document in one session. They are data that the
 * service derives from events alone and caches. Views turn lines into sentences.
 */
import * as z from "zod/mini";
import { readByIds, readRows } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

const words = z.int();
/** The words of the heading above, or null without a heading. */
const section = z.nullable(z.string());
/** At most four words of the text, or null if the quotation would be longer. */
const quote = z.nullable(z.string());

const part = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("began"), words }),
  z.object({ kind: z.literal("added"), words, quote, section }),
  z.object({ kind: z.literal("removed"), words, quote, section }),
  z.object({ kind: z.literal("replaced"), out: z.string(), in: z.string(), section }),
  z.object({ kind: z.literal("rewrote"), words, section }),
  z.object({ kind: z.literal("moved"), words, quote, section }),
  z.object({ kind: z.literal("formatted"), words, quote, section }),
  z.object({ kind: z.literal("retyped"), to: z.string(), quote, section }),
  /** Blocks were split or joined, or content without words was inserted. */
  z.object({ kind: z.literal("arranged"), section }),
  /** All text that was written was deleted again in the same session. */
  z.object({ kind: z.literal("nothing") }),
  /** `at` is the time when the restored text was written. */
  z.object({ kind: z.literal("restored"), at: z.string() }),
  z.object({ kind: z.literal("commented"), quote: z.string(), count: z.int() }),
  /** A reply in a thread that the person `to` opened. */
  z.object({ kind: z.literal("replied"), quote: z.string(), to: z.string(), count: z.int() }),
  z.object({ kind: z.literal("renamed"), title: z.string() }),
  z.object({ kind: z.literal("named"), name: z.string() }),
  /** Any other event, named by its type. */
  z.object({ kind: z.literal("event"), type: z.string(), count: z.int() }),
]);
export type LinePart = z.infer<typeof part>;

/** The changes of one person in one session, or one event other than writing. */
export type ChangeLine = {
  documentId: string;
  actorId: string;
  /** The versions of the line's first and last event. */
  from: number;
  to: number;
  began: string;
  at: string;
  /** The numbers of written words, deleted words, and changes. */
  added: number;
  removed: number;
  changes: number;
  /** The largest changes, at most two, the largest first. */
  parts: readonly LinePart[];
};

const row = z.pipe(
  z.object({
    stream_id: z.string(),
    actor_id: z.string(),
    from_version: z.int(),
    to_version: z.int(),
    began_at: z.string(),
    ended_at: z.string(),
    added: z.int(),
    removed: z.int(),
    changes: z.int(),
    parts: z.array(z.unknown()),
  }),
  z.transform((line): ChangeLine => ({
    documentId: line.stream_id,
    actorId: line.actor_id,
    from: line.from_version,
    to: line.to_version,
    began: line.began_at,
    at: line.ended_at,
    added: line.added,
    removed: line.removed,
    changes: line.changes,
    // Parts of a newer release are skipped.
    parts: line.parts.flatMap((each) => part.safeParse(each).data ?? []),
  })),
);

const columns =
  "stream_id,actor_id,from_version,to_version,began_at,ended_at,added,removed,changes,parts";
const recentLines = 300;
const mostBetween = 1000;
/** The most lines that are shown per document. */
const perDocument = 12;

/** Reads a workspace's newest lines, newest first. Without access to histories, none. */
export async function linesOfWorkspace(rows: Rows, workspaceId: string): Promise<ChangeLine[]> {
  const all = rows.from("change_lines").select(columns).eq("workspace_id", workspaceId);
  return readRows(await all.order("ended_at", { ascending: false }).limit(recentLines), row);
}

/** Reads the newest lines of some documents, newest first. */
export async function linesOf(rows: Rows, documents: readonly string[]): Promise<ChangeLine[]> {
  const found = await readByIds(documents, async (some) => {
    const all = rows.from("change_lines").select(columns).in("stream_id", some);
    return readRows(await all.order("ended_at", { ascending: false }).limit(recentLines), row);
  });
  return found;
}

/** Reads a workspace's lines that ended at or after `from` and before `until`, newest first. */
export async function linesBetween(
  rows: Rows,
  workspaceId: string,
  from: string,
  until: string | null,
): Promise<ChangeLine[]> {
  const all = rows.from("change_lines").select(columns).eq("workspace_id", workspaceId);
  const since = all.gte("ended_at", from);
  const within = until === null ? since : since.lt("ended_at", until);
  return readRows(await within.order("ended_at", { ascending: false }).limit(mostBetween), row);
}

/**
 * Returns the lines of each document that a page needs: the newest line and the unread lines of
 * others. `seenOf` returns the version up to which a document was read, or null if all of it was.
 */
export function shownLines(
  lines: readonly ChangeLine[],
  me: string,
  seenOf: (documentId: string) => number | null,
): Record<string, ChangeLine[]> {
  const shown: Record<string, ChangeLine[]> = {};
  for (const line of lines) {
    const own = (shown[line.documentId] ??= []);
    const seen = seenOf(line.documentId);
    const isUnread = seen !== null && line.to > seen && line.actorId !== me;
    if (own.length === 0 || (isUnread && own.length < perDocument)) own.push(line);
  }
  return shown;
}

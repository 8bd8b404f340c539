/**
 * Lines that say what one person did in a document in one session. They are data that the service
 * derives from events alone and caches; the sentences are written where lines are shown.
 */
import * as z from "zod/mini";
import { readByIds, readRows } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

const words = z.int();
/** The words of the heading above; null if there is none. */
const section = z.nullable(z.string());
/** At most four words of the text; null if the quotation would be longer. */
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
  /** Blocks were split or joined, or something without words was inserted. */
  z.object({ kind: z.literal("arranged"), section }),
  /** Everything written was deleted again in the same session. */
  z.object({ kind: z.literal("nothing") }),
  /** `at` is when the restored text was written. */
  z.object({ kind: z.literal("restored"), at: z.string() }),
  z.object({ kind: z.literal("commented"), quote: z.string(), count: z.int() }),
  /** A reply in a thread that `to` opened. */
  z.object({ kind: z.literal("replied"), quote: z.string(), to: z.string(), count: z.int() }),
  z.object({ kind: z.literal("renamed"), title: z.string() }),
  z.object({ kind: z.literal("named"), name: z.string() }),
  /** Any other event, by its type. */
  z.object({ kind: z.literal("event"), type: z.string(), count: z.int() }),
]);
export type LinePart = z.infer<typeof part>;

/** What one person did in one session, or one event that is more than writing. */
export type ChangeLine = {
  documentId: string;
  actorId: string;
  /** The versions of its first and its last event. */
  from: number;
  to: number;
  began: string;
  at: string;
  /** The numbers of written words, deleted words, and changes. */
  added: number;
  removed: number;
  changes: number;
  /** The largest change first, at most two. */
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
/** The most lines that are shown of one document. */
const perDocument = 12;

/** A workspace's newest lines, newest first; empty for a reader without access to histories. */
export async function linesOfWorkspace(rows: Rows, workspaceId: string): Promise<ChangeLine[]> {
  const all = rows.from("change_lines").select(columns).eq("workspace_id", workspaceId);
  return readRows(await all.order("ended_at", { ascending: false }).limit(recentLines), row);
}

/** The newest lines of some documents, newest first. */
export async function linesOf(rows: Rows, documents: readonly string[]): Promise<ChangeLine[]> {
  const found = await readByIds(documents, async (some) => {
    const all = rows.from("change_lines").select(columns).in("stream_id", some);
    return readRows(await all.order("ended_at", { ascending: false }).limit(recentLines), row);
  });
  return found;
}

/** A workspace's lines that ended in a period (`to` exclusive; null: until now), newest first. */
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
 * The lines of each document that a page needs: unread lines of others, and the newest in any case.
 * `seenOf` returns the version up to which a document was read, null if all of it was.
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

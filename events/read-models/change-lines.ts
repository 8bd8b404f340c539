/**
 * Lines that say what somebody did in a document in one session. They are data, derived from events
 * alone by the service and kept as a cache; what they read as is said where they are shown.
 */
import * as z from "zod/mini";
import { readByIds, readRows } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

const words = z.int();
/** The words of the heading above; null where there is none. */
const section = z.nullable(z.string());
/** At most four words of the text; null where there are more to be quoted. */
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
  /** Blocks were parted, joined, or something without words was put in. */
  z.object({ kind: z.literal("arranged"), section }),
  /** Whatever was written was taken back in the same session. */
  z.object({ kind: z.literal("nothing") }),
  /** `at` is when the text that is read again was written. */
  z.object({ kind: z.literal("restored"), at: z.string() }),
  z.object({ kind: z.literal("commented"), quote: z.string(), count: z.int() }),
  /** A reply in a thread that `to` began. */
  z.object({ kind: z.literal("replied"), quote: z.string(), to: z.string(), count: z.int() }),
  z.object({ kind: z.literal("renamed"), title: z.string() }),
  z.object({ kind: z.literal("named"), name: z.string() }),
  /** Whatever else happened, by the event's type. */
  z.object({ kind: z.literal("event"), type: z.string(), count: z.int() }),
]);
export type LinePart = z.infer<typeof part>;

/** What one person did in one session, or one thing that was more than writing. */
export type ChangeLine = {
  documentId: string;
  actorId: string;
  /** The versions of its first and its last event. */
  from: number;
  to: number;
  began: string;
  at: string;
  /** Words that were written and taken away, and how many changes that were. */
  added: number;
  removed: number;
  changes: number;
  /** The largest change first, two at most. */
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
    // A part that a newer release has made is passed over.
    parts: line.parts.flatMap((each) => part.safeParse(each).data ?? []),
  })),
);

const columns =
  "stream_id,actor_id,from_version,to_version,began_at,ended_at,added,removed,changes,parts";
const recentLines = 300;
const mostBetween = 1000;
/** Of one document no more are shown at once. */
const perDocument = 12;

/** The newest lines of a workspace, newest first; none for who may not read how its texts were written. */
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

/** The lines of a workspace that ended at or after a time, and before another (null: until now), newest first. */
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
 * What a page needs of the newest lines of each document: those of others that are unread, and the newest in
 * any case. `seenOf` says up to which version a document was read, null where all of it was.
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

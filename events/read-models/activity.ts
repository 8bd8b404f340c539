/**
 * A workspace's activity, newest first, for people to read. The functions read the log's narrow
 * columns and the small bodies of a few types, never the bytes of typed text.
 */
import { parsedJson } from "@/events/core/envelope";
import type { Json } from "@/events/core/envelope";
import * as z from "zod/mini";
import type { Rows } from "./rows";
import { readByIds, readRows } from "@/events/log/paged-rows";

const row = z.object({
  id: z.string(),
  stream_id: z.string(),
  stream_kind: z.string(),
  position: z.int(),
  version: z.int(),
  type: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  actor_id: z.string(),
  recorded_at: z.string(),
  client_time: z.string(),
});
const payload = z.object({ event_id: z.string(), body: z.nullable(z.string()) });

/**
 * One activity. A person's continuous writing in one document is one activity of `count` events.
 */
export type Happening = {
  id: string;
  type: string;
  stream: { kind: string; id: string };
  subjectId: string;
  actorId: string;
  /** The stream's version after the activity, which is a revision in a document's history. */
  version: number;
  at: string;
  began: string;
  count: number;
  body: Json;
};

/**
 * `older` is the position to continue from, or null at the beginning of the log. `since` is the
 * time of the page's first event by its author's clock, or null for an empty page.
 */
export type ActivityPage = {
  happenings: readonly Happening[];
  older: number | null;
  since: string | null;
};

const pageSize = 400;
const pause = 10 * 60_000;

/**
 * Reads a page of activity before a position, or the newest page if the position is null. With
 * `types`, the page holds only these types. It holds nothing before position `from`.
 */
export async function readActivity(
  rows: Rows,
  workspaceId: string,
  before: number | null,
  { types = null, from = 0 }: { types?: readonly string[] | null; from?: number } = {},
): Promise<ActivityPage> {
  const columns =
    "id,stream_id,stream_kind,position,version,type,subject_kind,subject_id,actor_id,recorded_at,client_time";
  const all = rows.from("events").select(columns).eq("workspace_id", workspaceId);
  // The first and last event of an import suffice, so its steps are left out.
  const here =
    types === null
      ? all.neq("type", "document.step_imported")
      : all.neq("type", "document.edited").in("type", types);
  const since = here.gte("position", from);
  const earlier = before === null ? since : since.lt("position", before);
  const events = readRows(
    await earlier.order("position", { ascending: false }).limit(pageSize),
    row,
  );
  const ids = events.filter(({ type }) => !hasNoWords(type)).map(({ id }) => id);
  const payloads = await readByIds(ids, async (some) =>
    readRows(
      await rows.from("event_payloads").select("event_id,body").in("event_id", some),
      payload,
    ),
  );
  const bodies = new Map<string, Json>(
    payloads.map(({ event_id: id, body }) => [id, body === null ? null : parsedJson(body)]),
  );
  const ofImports = new Set(events.filter(({ type }) => type === imported).map(instantOf));
  const happenings: Happening[] = [];
  for (const event of events) {
    // An import repeats its file's comments and version names at one instant, so only the import
    // itself is shown.
    if (
      event.type !== imported &&
      event.type !== "document.created" &&
      ofImports.has(instantOf(event))
    )
      continue;
    // Accepting and joining happen at the same moment, so only the joining is shown.
    if (event.type === "invitation.accepted") continue;
    const comment = firstComment(happenings, event);
    if (comment) {
      comment.type = event.type;
      continue;
    }
    const joined = joins(happenings, event);
    if (joined) {
      joined.began = event.recorded_at;
      joined.count += 1;
      continue;
    }
    happenings.push({
      id: event.id,
      type: event.type,
      stream: { kind: event.stream_kind, id: event.stream_id },
      subjectId: event.subject_id,
      actorId: event.actor_id,
      version: event.version,
      at: event.recorded_at,
      began: event.recorded_at,
      count: 1,
      body: bodies.get(event.id) ?? {},
    });
  }
  const oldest = events.at(-1);
  return {
    happenings,
    older: events.length === pageSize && oldest ? oldest.position : null,
    since: oldest?.client_time ?? null,
  };
}

const imported = "document.imported";

/** Whether an event's body, which can be long, is not shown. Comments are read in the document. */
const hasNoWords = (type: string) =>
  type === "document.edited" || type === imported || /^(thread|comment)\./.test(type);

function instantOf({ stream_id, actor_id, client_time }: z.infer<typeof row>): string {
  return `${stream_id} ${actor_id} ${client_time}`;
}

/** Finds the comment that opened a thread. The two events are shown as one comment. */
function firstComment(
  happenings: readonly Happening[],
  event: z.infer<typeof row>,
): Happening | undefined {
  if (event.type !== "thread.opened") return undefined;
  const next = happenings.findLast(({ stream }) => stream.id === event.stream_id);
  return next?.type === "comment.added" &&
    next.version === event.version + 1 &&
    next.actorId === event.actor_id
    ? next
    : undefined;
}

/**
 * Finds the shown activity that continues an older event of writing or of an import: the same
 * person's nearest one in that document, if it has the same type and, for writing, no long pause
 * between.
 */
function joins(
  happenings: readonly Happening[],
  event: z.infer<typeof row>,
): Happening | undefined {
  if (event.type !== "document.edited" && event.type !== imported) return undefined;
  const nearest = happenings.findLast(
    ({ stream, actorId }) => stream.id === event.stream_id && actorId === event.actor_id,
  );
  if (nearest?.type !== event.type) return undefined;
  if (event.type === imported) return nearest;
  return Date.parse(nearest.began) - Date.parse(event.recorded_at) <= pause ? nearest : undefined;
}

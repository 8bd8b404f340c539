import * as z from "zod/mini";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { readByIds, readRows } from "@/events/log/paged-rows";
import type { Rows } from "@/events/read-models/rows";
import { takenBack, undoneMerges } from "./undone-merge";

const eventRow = z.object({
  id: z.string(),
  version: z.int(),
  type: z.string(),
  actor_id: z.string(),
});
const payloadRow = z.object({ event_id: z.string(), body: z.string() });
const copyInBody = z.object({ document: z.string(), version: z.int() });

type TextEvent = Pick<TimelineRow, "version" | "type" | "body" | "actorId">;

const merged = "document.merged";
const reworked = "document.reworked";
const writing = [
  "document.edited",
  "document.reverted",
  reworked,
  merged,
  "document.imported",
  "document.step_imported",
];

/** The most events that are counted. Beyond it, only the existence of more is reported. */
export const mostCounted = 1000;
/**
 * The news that a fork lacks of its parent: the number of events that wrote text after the parent's
 * version `from`.
 */
export type ParentNews = { from: number; events: number };

type Fork = { id: string; parent: string; forkedAt: number };

/**
 * Reads what a fork's parent wrote since the fork last merged it. Resolves to null for a reader
 * without access to histories.
 */
export async function parentNews(
  rows: Rows,
  { id, parent, forkedAt }: Fork,
): Promise<ParentNews | null> {
  const own = await eventsOf(rows, id, 0, ["document.created", merged, reworked]);
  if (own.length === 0) return null;
  const from = broughtUpTo(own, parent, forkedAt);
  return { from, events: writtenThere(await eventsOf(rows, parent, from, writing), id) };
}

/**
 * Returns the parent's version that a fork has merged: that of the last merge that was not
 * reverted, or else the version at which it was forked.
 */
export function broughtUpTo(
  events: readonly TextEvent[],
  parent: string,
  forkedAt: number,
): number {
  const undone = new Set(undoneMerges(events, parent).map(({ version }) => version));
  const taken = events.flatMap((event) =>
    undone.has(event.version) ? (takenBack(event) ?? []) : [],
  );
  const standing = events.filter(
    ({ version, actorId }) =>
      !taken.some(({ author, from, to }) => author === actorId && from <= version && version <= to),
  );
  return Math.max(forkedAt, ...standing.flatMap((event) => mergedFrom(event, parent) ?? []));
}

/** Counts a parent's events that wrote text which this fork did not contribute. */
export function writtenThere(events: readonly TextEvent[], fork: string): number {
  return events.filter((event) => mergedFrom(event, fork) === null).length;
}

function mergedFrom({ type, body }: TextEvent, source: string): number | null {
  const copyIn = type === merged ? copyInBody.safeParse(body).data : undefined;
  return copyIn?.document === source ? copyIn.version : null;
}

async function eventsOf(
  rows: Rows,
  stream: string,
  after: number,
  types: readonly string[],
): Promise<TextEvent[]> {
  const query = rows
    .from("events")
    .select("id,version,type,actor_id")
    .eq("stream_id", stream)
    .gt("version", after)
    .in("type", types);
  // For long histories the newest events suffice: they include the last merge and show that there
  // are many.
  const events = readRows(
    await query.order("version", { ascending: false }).limit(mostCounted),
    eventRow,
  ).reverse();
  const ids = events.filter(({ type }) => type === merged || type === reworked).map(({ id }) => id);
  const payloads = await readByIds(ids, async (some) =>
    readRows(
      await rows.from("event_payloads").select("event_id,body").in("event_id", some),
      payloadRow,
    ),
  );
  const bodies = new Map<string, TextEvent["body"]>(
    payloads.map(({ event_id: id, body }) => [id, z.json().parse(JSON.parse(body))]),
  );
  return events.map(({ id, version, type, actor_id: actorId }) => ({
    version,
    type,
    actorId,
    body: bodies.get(id) ?? null,
  }));
}

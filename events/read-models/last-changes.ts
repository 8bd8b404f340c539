import * as z from "zod/mini";
import { readRows } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

const changeRow = z.object({
  stream_id: z.string(),
  version: z.int(),
  type: z.string(),
  actor_id: z.string(),
  recorded_at: z.string(),
});
type ChangeRow = z.infer<typeof changeRow>;

/**
 * A document's last change: the event's type or, for writing, the length of the last session. Its
 * recent activity is given as at most 30 bars between 0 and 1, oldest first, with the last version
 * of each.
 */
export type LastChange = {
  type: string;
  actorId: string;
  at: string;
  minutes: number;
  bars: readonly number[];
  versions: readonly number[];
};

const recentEvents = 1000;
const sitting = 10 * 60_000;
const longestPause = 60_000;
const barCount = 30;
const fewest = 12;

/** Reads the last change of each document in a workspace from its last thousand events. */
export async function recentChanges(
  rows: Rows,
  workspaceId: string,
): Promise<Record<string, LastChange>> {
  const events = rows.from("events").select("stream_id,version,type,actor_id,recorded_at");
  const recent = events.eq("workspace_id", workspaceId).eq("stream_kind", "document");
  const read = readRows(
    await recent.order("position", { ascending: false }).limit(recentEvents),
    changeRow,
  );
  const streams = new Map<string, ChangeRow[]>();
  for (const row of read) {
    const stream = streams.get(row.stream_id);
    if (stream) stream.push(row);
    else streams.set(row.stream_id, [row]);
  }
  return Object.fromEntries(
    [...streams].flatMap(([id, newestFirst]) =>
      lastChange(newestFirst).map((change) => [id, change]),
    ),
  );
}

/** Reads the last change of one document from its last few hundred events, if it has any. */
async function recentChange(rows: Rows, documentId: string): Promise<LastChange | null> {
  const events = rows
    .from("events")
    .select("stream_id,version,type,actor_id,recorded_at")
    .eq("stream_id", documentId);
  return (
    lastChange(
      readRows(
        await events.order("version", { ascending: false }).limit(recentEvents / 4),
        changeRow,
      ),
    )[0] ?? null
  );
}

/** The most documents that are queried individually. */
const oneByOne = 20;

/**
 * Reads the last changes of some documents of a workspace, from the same events as `recentChange`
 * and `recentChanges`.
 */
export async function changesOf(
  rows: Rows,
  workspaceId: string,
  ids: readonly string[],
): Promise<Record<string, LastChange>> {
  // After a night offline, every document of the workspace may have changed.
  if (ids.length > oneByOne) {
    const requestedIds = new Set(ids);
    const all = Object.entries(await recentChanges(rows, workspaceId));
    return Object.fromEntries(all.filter(([id]) => requestedIds.has(id)));
  }
  const answers = await Promise.all(
    ids.map(async (id) => [id, await recentChange(rows, id)] as const),
  );
  return Object.fromEntries(answers.flatMap(([id, change]) => (change ? [[id, change]] : [])));
}

function lastChange(newestFirst: readonly ChangeRow[]): LastChange[] {
  const [last] = newestFirst;
  if (!last) return [];
  let began = Date.parse(last.recorded_at);
  for (const row of newestFirst) {
    const time = Date.parse(row.recorded_at);
    if (row.type !== last.type || row.actor_id !== last.actor_id || began - time > sitting) break;
    began = time;
  }
  const minutes = Math.round((Date.parse(last.recorded_at) - began) / 60_000);
  const { type, actor_id: actorId, recorded_at: at } = last;
  const written = newestFirst
    .filter((row) => row.type === "document.edited")
    .map((row) => ({ time: Date.parse(row.recorded_at), version: row.version }));
  return [{ type, actorId, at, minutes, ...density(written.reverse()) }];
}

/**
 * Returns the density of revisions as bars of equal length in time, with pauses shortened. The
 * fullest bar is 1. Too few revisions return no bars.
 */
function density(
  written: readonly { time: number; version: number }[],
): Pick<LastChange, "bars" | "versions"> {
  let offset = 0;
  const played = written.map(({ time }, at) => {
    const before = written[at - 1]?.time ?? time;
    offset += Math.min(time - before, longestPause);
    return offset;
  });
  if (played.length < fewest) return { bars: [], versions: [] };
  const width = Math.max(offset, 1) / barCount;
  const counts = new Array<number>(barCount).fill(0);
  const versions = new Array<number>(barCount).fill(0);
  for (const [at, position] of played.entries()) {
    const bar = Math.min(barCount - 1, Math.floor(position / width));
    counts[bar] = (counts[bar] ?? 0) + 1;
    versions[bar] = written[at]?.version ?? 0;
  }
  const most = Math.max(...counts);
  return { bars: counts.map((count) => count / most), versions };
}

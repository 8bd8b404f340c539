import type postgres from "postgres";
import type { JsonObject } from "./frames/frame";

export type Replayed =
  { id: string; event: string; text: string } | { id: string; event: string; bytes: Buffer };

/** Reads the latest broadcasts of a private topic since a time in ms, oldest first. */
export type Replay = (topic: string, since: number, limit: number) => Promise<Replayed[]>;

const most = 25;

/** Parses `{ since, limit }` of a join, or returns null if a value is invalid. */
export function readReplay(params: JsonObject): { since: number; limit: number } | null {
  const { since, limit = most } = params;
  const count = limit ?? most;
  if (
    typeof since !== "number" ||
    !Number.isInteger(since) ||
    !Number.isFinite(new Date(since).getTime())
  )
    return null;
  if (typeof count !== "number" || !Number.isInteger(count)) return null;
  return { since, limit: Math.max(1, Math.min(count, most)) };
}

type Row = { id: string; event: string; payload: string | null; binary_payload: Buffer | null };

/** Replays from realtime.messages, which stores only broadcasts sent by the database. */
export function databaseReplay(sql: postgres.Sql): Replay {
  return async (topic, since, limit) => {
    const rows = await sql<Row[]>`
      select id, event, payload::text as payload, binary_payload from realtime.messages
      where topic = ${topic} and private is true and extension = 'broadcast' and event is not null
        and inserted_at >= to_timestamp(${since}::double precision / 1000) at time zone 'utc'
        and inserted_at < (now() at time zone 'utc') + interval '1 minute'
      order by inserted_at desc limit ${limit}`;
    return rows.reverse().flatMap(({ id, event, payload, binary_payload: bytes }): Replayed[] => {
      if (bytes !== null) return [{ id, event, bytes }];
      return payload === null ? [] : [{ id, event, text: payload }];
    });
  };
}

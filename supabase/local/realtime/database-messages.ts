import type postgres from "postgres";
import { hearNotices } from "@/supabase/local/database/database-notices";
import type { DatabaseNotices } from "@/supabase/local/database/database-notices";
import type { Clock, Log } from "./clock";
import type { TopicRegistry } from "./topic-members";
import type { Usage } from "./limits";

const notices = "realtime_messages";
/** How far back a reconnect looks, in ms. Longer transactions during an outage are missed. */
const memory = 60_000;

type Row = {
  id: string;
  topic: string;
  event: string;
  private: boolean;
  payload: string | null;
  binary_payload: Buffer | null;
};

/**
 * Broadcasts the rows that transactions insert into realtime.messages, after the commit and in
 * commit order. A trigger announces each row by NOTIFY. After a reconnect, the rows committed
 * during the outage are read.
 */
export async function pickUpDatabaseMessages(input: {
  databaseUrl: string;
  sql: postgres.Sql;
  topics: TopicRegistry;
  usage: Usage;
  clock: Clock;
  log: Log;
}): Promise<Omit<DatabaseNotices, "caughtUp">> {
  const { sql, topics, usage, clock, log } = input;
  const [start] = await sql<{ at: string }[]>`select (now() at time zone 'utc')::text as at`;
  const startedAt = start?.at ?? "";
  const delivered = new Map<string, number>();
  let waiting: string[] = [];
  let missed = false;
  let reading: Promise<void> | null = null;
  let closed = false;

  const columns = sql`id, topic, event, coalesce(private, false) as private, payload::text as payload, binary_payload`;
  const isMessage = sql`event is not null and (payload is not null or binary_payload is not null)`;

  function publish({
    id,
    topic,
    event,
    private: isPrivate,
    payload,
    binary_payload: binary,
  }: Row): void {
    if (delivered.has(id)) return;
    delivered.set(id, clock.now());
    const bytes = binary ?? Buffer.from(payload ?? "");
    if (bytes.length > usage.limits.payloadBytes || usage.messages.triggered) {
      log(`realtime: UnableToBroadcastChanges: ${bytes.length} bytes on ${topic}`);
      return;
    }
    usage.messages.add();
    const encoding = binary === null ? "json" : "binary";
    topics.find(topic, isPrivate)?.publish({ kind: "user", event, encoding, bytes, meta: { id } });
  }

  function forget(): void {
    const horizon = clock.now() - 2 * memory;
    for (const [id, at] of delivered) {
      if (at >= horizon) break;
      delivered.delete(id);
    }
  }

  async function readMissed(): Promise<void> {
    const rows = await sql<Row[]>`
      select ${columns} from realtime.messages
      where ${isMessage} and inserted_at >= ${startedAt}::timestamp
        and inserted_at >= (now() at time zone 'utc') - ${memory} * interval '1 millisecond'
      order by inserted_at`;
    missed = false;
    rows.forEach(publish);
  }

  async function readNamed(): Promise<void> {
    const ids = waiting;
    waiting = [];
    try {
      const rows = await sql<
        Row[]
      >`select ${columns} from realtime.messages where ${isMessage} and id = any(${ids}::uuid[])`;
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const id of ids) {
        const row = byId.get(id);
        if (row !== undefined) publish(row);
      }
    } catch (error) {
      waiting = [...ids, ...waiting];
      throw error;
    }
  }

  /** Reads missed rows before rows that were announced later. */
  async function readAll(): Promise<void> {
    while ((missed || waiting.length > 0) && !closed) await (missed ? readMissed() : readNamed());
    forget();
  }

  function read(): void {
    reading ??= readAll()
      .catch((error: unknown) => {
        if (closed) return;
        log(`realtime: could not read database messages: ${String(error)}`, "error");
        clock.after(1000, read);
      })
      .finally(() => {
        reading = null;
      });
  }

  const source = await hearNotices({
    databaseUrl: input.databaseUrl,
    channel: notices,
    clock,
    heard(id) {
      waiting.push(id);
      read();
    },
    lost: () => log("realtime: lost the database connection; reconnecting", "error"),
    failed: (error) =>
      log(`realtime: could not reconnect to the database: ${String(error)}`, "error"),
    regained() {
      missed = true;
      read();
    },
  });
  return {
    isListening: source.isListening,
    async close() {
      closed = true;
      await source.close();
      await reading;
    },
  };
}

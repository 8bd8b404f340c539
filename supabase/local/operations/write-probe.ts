import postgres from "postgres";
import { atMostOnceIn } from "./readiness";
import type { Check } from "./readiness";

/** The longest wait for a lock, and how long a result is cached, in ms. */
const lockTimeout = 1_000;
const lasting = 5_000;

type WriteProbe = { check: Check; close(): Promise<void> };

/**
 * Checks on its own connection that the database commits appends. A transaction takes the same
 * table locks as an append and writes a WAL message, which the commit flushes. No row remains.
 * Unlike `select 1`, the probe fails in recovery, on a read-only database and while the log is
 * locked, and hangs while a commit waits for its disk or standby.
 */
export function writeProbe(databaseUrl: string, now: () => number): WriteProbe {
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 60,
    onnotice: () => undefined,
    // No statement_timeout, which would end a commit's wait for its standby as if the commit had
    // succeeded.
    connection: { application_name: "palimpsest-write-probe", lock_timeout: lockTimeout },
  });
  const write: Check = async () => {
    await sql.begin(async (transaction) => {
      const [state] = await transaction`select current_setting('transaction_read_only') as value`;
      if (state?.value !== "off") throw new Error("The database is read-only");
      await transaction`lock table public.events, private.streams in row exclusive mode`;
      // Transactional, so that the message gets a transaction id and its commit is flushed.
      await transaction`select pg_logical_emit_message(true, 'palimpsest', 'write probe')`;
    });
  };
  return { check: atMostOnceIn(lasting, write, now), close: () => sql.end({ timeout: 0.5 }) };
}

import postgres from "postgres";
import { atMostOnceIn } from "./readiness";
import type { Check } from "./readiness";

/** How long the probe waits for a lock, and how long its result is cached, in ms. */
const lockTimeout = 1_000;
const lasting = 5_000;

type WriteProbe = { check: Check; close(): Promise<void> };

/**
 * Checks that the database commits appends, on its own connection. A transaction takes the same
 * table locks as an append and writes a WAL message, which the commit flushes; it leaves no row.
 * Unlike `select 1` it fails in recovery, on a read-only database and while the log is locked, and
 * it hangs while a commit waits for its disk or standby.
 */
export function writeProbe(databaseUrl: string, now: () => number): WriteProbe {
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 60,
    onnotice: () => undefined,
    // No statement_timeout: it would cut off a commit's wait for its standby as if it had
    // succeeded.
    connection: { application_name: "palimpsest-write-probe", lock_timeout: lockTimeout },
  });
  const write: Check = async () => {
    await sql.begin(async (transaction) => {
      const [state] = await transaction`select current_setting('transaction_read_only') as value`;
      if (state?.value !== "off") throw new Error("The database is read-only");
      await transaction`lock table public.events, private.streams in row exclusive mode`;
      // Transactional, so that it gets a transaction id, whose commit is flushed.
      await transaction`select pg_logical_emit_message(true, 'palimpsest', 'write probe')`;
    });
  };
  return { check: atMostOnceIn(lasting, write, now), close: () => sql.end({ timeout: 0.5 }) };
}

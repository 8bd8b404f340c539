import postgres from "postgres";
import { atMostOnceIn, type Check } from "./readiness";

/** How long, in ms, the probe waits for a lock, and how long an answer of the database counts. */
const lockTimeout = 1_000;
const lasting = 5_000;

type WriteProbe = { check: Check; close(): Promise<void> };

/**
 * Checks that the database commits what is appended, on a connection of its own. A transaction takes
 * the locks on the log's tables that an append takes, and writes a message to the write-ahead log,
 * which the commit flushes. It leaves no row. Unlike `select 1` it fails in recovery, on a read-only
 * database, and while something locks the log, and does not end while a commit waits for its disk
 * or its standby.
 */
export function writeProbe(databaseUrl: string, now: () => number): WriteProbe {
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 60,
    onnotice: () => undefined,
    // No statement_timeout: it would end the wait of a commit for its standby as if that had answered.
    connection: { application_name: "palimpsest-write-probe", lock_timeout: lockTimeout },
  });
  const write: Check = async () => {
    await sql.begin(async (transaction) => {
      const [state] = await transaction`select current_setting('transaction_read_only') as value`;
      if (state?.value !== "off") throw new Error("The database is read-only");
      await transaction`lock table public.events, private.streams in row exclusive mode`;
      // Transactional, so that it takes a transaction id, whose commit is flushed.
      await transaction`select pg_logical_emit_message(true, 'palimpsest', 'write probe')`;
    });
  };
  return { check: atMostOnceIn(lasting, write, now), close: () => sql.end({ timeout: 0.5 }) };
}

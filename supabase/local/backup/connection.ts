import postgres from "postgres";
import type { ReservedSql, Sql } from "postgres";

/** Connects to a database for a backup or a restore, with one connection. */
export const connect = (url: string): Sql =>
  postgres(url, { max: 1, onnotice: () => undefined, idle_timeout: 0, max_lifetime: null });

/** Whether an error means that the server or the network is gone. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOTFOUND|57P0)/.test(String(error.code));

/**
 * Runs `work` in a transaction on its own connection. A failure is rolled back by closing the
 * connection. In the middle of COPY, the driver would wait endlessly for unread rows. If the server
 * is gone, the driver would write to a closed socket, which crashes the process.
 */
export async function inTransaction(
  url: string,
  begin: string,
  work: (transaction: ReservedSql) => Promise<void>,
): Promise<void> {
  const sql = connect(url);
  try {
    const transaction = await sql.reserve();
    await transaction.unsafe(begin);
    await work(transaction);
    await transaction.unsafe("commit");
  } finally {
    await sql.end({ timeout: 0 });
  }
}

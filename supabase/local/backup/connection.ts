import postgres, { type ReservedSql, type Sql } from "postgres";

/** Connects to a database for a backup or a restore, with one connection. */
export const connect = (url: string): Sql =>
  postgres(url, { max: 1, onnotice: () => undefined, idle_timeout: 0, max_lifetime: null });

/** Whether a fault says that the server, or the way to it, went away. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOTFOUND|57P0)/.test(String(error.code));

/**
 * Does its work in a transaction, on a connection of its own. What fails is rolled back by closing
 * that: in the middle of COPY the driver waits without end for rows that nobody reads, and where
 * the server went away it writes to a socket which is gone, and that ends the process.
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

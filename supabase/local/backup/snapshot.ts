import postgres, { type Sql, type TransactionSql } from "postgres";
import type { About } from "./manifest";
import {
  appliedMigrations,
  copyOut,
  fixTextForms,
  sequenceValues,
  type StoredTable,
  storedTables,
} from "./tables";

/** One stored object, as its row names it. */
export type ObjectRow = { bucket: string; key: string; etag: string | null };

/** The database as it was at one moment, however long it is read. */
export type Snapshot = {
  migrations: string[];
  tables: StoredTable[];
  sequences: About["sequences"];
  objects(): AsyncIterable<ObjectRow>;
  rows(table: StoredTable): AsyncIterable<Buffer>;
};

/** Connects to a database for a backup or a restore, with one connection. */
export const connect = (url: string): Sql =>
  postgres(url, { max: 1, onnotice: () => undefined, idle_timeout: 0, max_lifetime: null });

/** Does its work on one snapshot of the database, which goes on being written meanwhile. */
export async function withSnapshot(
  url: string,
  work: (snapshot: Snapshot) => Promise<void>,
): Promise<void> {
  const sql = connect(url);
  try {
    await sql.begin("isolation level repeatable read read only", async (transaction) =>
      work(await snapshotOf(transaction)),
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function snapshotOf(sql: TransactionSql): Promise<Snapshot> {
  await fixTextForms(sql);
  return {
    migrations: await appliedMigrations(sql),
    tables: await storedTables(sql),
    sequences: await sequenceValues(sql),
    async *objects() {
      const pages = sql<ObjectRow[]>`
        select bucket_id as bucket, name as key, metadata ->> 'eTag' as etag
        from storage.objects where bucket_id is not null and name is not null`.cursor(1000);
      for await (const page of pages) yield* page;
    },
    rows: (table) => copyOut(sql, table),
  };
}

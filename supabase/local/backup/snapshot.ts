import type { ReservedSql } from "postgres";
import { inTransaction } from "./connection";
import type { About } from "./manifest";
import { appliedMigrations, copyOut, fixTextForms, sequenceValues, storedTables } from "./tables";
import type { StoredTable } from "./tables";

/** A stored object, as named by its row. */
export type ObjectRow = { bucket: string; key: string; etag: string | null };

/** The database at one moment, independent of how long reading takes. */
export type Snapshot = {
  migrations: string[];
  tables: StoredTable[];
  sequences: About["sequences"];
  objects(): AsyncIterable<ObjectRow>;
  rows(table: StoredTable): AsyncIterable<Buffer>;
};

/** Runs `work` on a consistent snapshot of the database, without blocking writers. */
export async function withSnapshot(
  url: string,
  work: (snapshot: Snapshot) => Promise<void>,
): Promise<void> {
  await inTransaction(url, "begin isolation level repeatable read read only", async (transaction) =>
    work(await snapshotOf(transaction)),
  );
}

async function snapshotOf(sql: ReservedSql): Promise<Snapshot> {
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

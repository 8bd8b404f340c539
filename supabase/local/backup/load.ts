import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { once } from "node:events";
import type { ReservedSql, Sql } from "postgres";
import { BackupFault } from "./archive-format";
import type { Archive } from "./archive-reader";
import { inTransaction } from "./connection";
import { linesIn } from "./archive-writer";
import { tableEntry } from "./manifest";
import type { BackupTable, Listed } from "./manifest";
import { copyOut, fixTextForms, qualified, quoted, storedTables } from "./tables";
import type { StoredTable } from "./tables";

/**
 * Loads a backup's tables into a database with a schema and no data, in one transaction. Reads
 * every row back, so that the committed rows equal the backup's.
 */
export async function loadTables(url: string, archive: Archive): Promise<void> {
  await inTransaction(url, "begin", async (transaction) => {
    await fixTextForms(transaction);
    // Constraints and triggers have already run in the database that the backup was made of.
    await transaction`set local session_replication_role = replica`;
    const own = await storedTables(transaction);
    const loads = archive.about.tables.map((table) => placeOf(archive, table, own));
    const triggers = await disableTriggers(transaction, own);
    // Migrations insert rows too, but the backup has the current versions of these rows.
    await transaction.unsafe(`truncate ${own.map(qualified).join(", ")}`);
    for (const { table, entry } of loads)
      await copyIn(transaction, table, archive.read(entry)).catch((cause: unknown) => {
        if (cause instanceof BackupFault) throw cause;
        throw new BackupFault(
          `The database rejected the rows of ${table.schema}.${table.name}. ` +
            "Nothing was restored.",
          { cause },
        );
      });
    for (const { schema, name, value } of archive.about.sequences)
      await transaction`select setval(${qualified({ schema, name })}::regclass, ${value}::bigint)`;
    for (const statement of triggers) await transaction.unsafe(statement);
    for (const { table, entry } of loads) await compare(transaction, table, entry);
  });
}

/**
 * Schedules rebuilding every document's snapshots, segments and search index, which a backup omits.
 */
export async function markDocuments(sql: Sql): Promise<void> {
  await sql`
    insert into private.upkeep (stream_id) select id from private.streams where kind = 'document'
    on conflict do nothing`;
  await sql`update private.search_workspaces set position = 0`;
}

type Load = { table: StoredTable; entry: Listed };

function placeOf(archive: Archive, table: BackupTable, own: readonly StoredTable[]): Load {
  const place = own.find(({ schema, name }) => schema === table.schema && name === table.name);
  const entry = archive.manifest.tables.find(({ name }) => name === tableEntry(table));
  const lacking = place
    ? table.columns.find((column) => !place.columns.includes(column))
    : undefined;
  if (!place || !entry || lacking !== undefined)
    throw new BackupFault(
      `This backup has ${lacking === undefined ? "a table" : `a column ${lacking} of the table`} ` +
        `${table.schema}.${table.name} that this release's schema lacks. Restore it with the ` +
        "release that wrote it; your own tables must be in a migration.",
    );
  return { table: { ...table, order: place.order }, entry };
}

/** Disables triggers that fire even in `replica` mode, and returns statements that restore them. */
async function disableTriggers(
  sql: ReservedSql,
  tables: readonly StoredTable[],
): Promise<string[]> {
  const wanted = new Set(tables.map(qualified));
  const found = await sql<{ schema: string; name: string; trigger: string; enabled: string }[]>`
    select n.nspname as schema, c.relname as name, t.tgname as trigger, t.tgenabled::text as enabled
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and t.tgenabled in ('A', 'R')`;
  const modes: Readonly<Record<string, string>> = { A: "enable always", R: "enable replica" };
  const triggers = found.filter((each) => wanted.has(qualified(each)));
  for (const each of triggers)
    await sql.unsafe(`alter table ${qualified(each)} disable trigger ${quoted(each.trigger)}`);
  return triggers.map(
    (each) =>
      `alter table ${qualified(each)} ${modes[each.enabled]} trigger ${quoted(each.trigger)}`,
  );
}

async function copyIn(
  sql: ReservedSql,
  table: StoredTable,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  const columns = table.columns.map(quoted).join(", ");
  const stream = await sql.unsafe(`copy ${qualified(table)} (${columns}) from stdin`).writable();
  const failed = new Promise<never>((_, reject) => stream.once("error", reject));
  failed.catch(() => undefined);
  for await (const part of bytes) await Promise.race([written(stream, part), failed]);
  stream.end();
  // The driver does not report that the last rows were refused, but a failed transaction refuses
  // this statement. The statement is sent only after the end of the stream.
  await new Promise((settle) => setImmediate(settle));
  await sql`select`;
}

async function written(stream: Writable, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await once(stream, "drain");
}

async function compare(sql: ReservedSql, table: StoredTable, entry: Listed): Promise<void> {
  const whole = createHash("sha256");
  let lines = 0;
  for await (const chunk of copyOut(sql, table)) {
    whole.update(chunk);
    lines += linesIn(chunk);
  }
  if (lines !== entry.lines || whole.digest("hex") !== entry.sha256)
    throw new BackupFault(
      `The restored table ${table.schema}.${table.name} differs from the backup: the database ` +
        `holds ${lines} of ${entry.lines} rows, or different ones.`,
    );
}

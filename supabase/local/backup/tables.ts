import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ReservedSql, Sql } from "postgres";
import type { About, BackupTable } from "./manifest";

type Connection = Sql | ReservedSql;

/**
 * The schemas whose rows a backup contains. `realtime` is left out: its broadcasts are kept for
 * three days, and subscribers do not depend on them.
 */
const schemas = ["auth", "private", "public", "storage", "supabase_migrations"];

/** A table from the catalogue; `order` is deterministic, the same on every server. */
export type StoredTable = BackupTable & { order: string };

/** The log is ordered by stream, because its hash chains are verified while it is read. */
const orders: Readonly<Record<string, string>> = {
  "public.events": "order by t.stream_id, t.version",
  "public.event_payloads":
    "join public.events e on e.id = t.event_id order by e.stream_id, e.version",
};

/** Returns all tables in the schemas of a backup except caches, without generated columns. */
export async function storedTables(sql: Connection): Promise<StoredTable[]> {
  const [caches] = await sql<{ name: string | null }[]>`
    select to_regclass('private.caches')::text as name`;
  const left = caches?.name
    ? (await sql<{ oid: number }[]>`select relation::oid as oid from private.caches`).map(
        ({ oid }) => oid,
      )
    : [];
  const found = await sql<{ schema: string; name: string; columns: string[]; keys: string[] }[]>`
    select n.nspname as schema, c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '') as columns,
      (select array_agg(
          quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
          order by coalesce(array_position(i.indkey::int2[], a.attnum), a.attnum))
        from pg_attribute a left join pg_index i on i.indrelid = c.oid and i.indisprimary
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and (i.indrelid is null or a.attnum = any (i.indkey))) as keys
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = any (${schemas}) and c.oid <> all (${left}::oid[])
    order by 1, 2`;
  return found.map(({ schema, name, columns, keys }) => ({
    schema,
    name,
    columns,
    order: orders[`${schema}.${name}`] ?? `order by ${keys.map((key) => `t.${key}`).join(", ")}`,
  }));
}

/** Returns the current values of the sequences in the schemas of a backup. */
export async function sequenceValues(sql: Connection): Promise<About["sequences"]> {
  return sql<About["sequences"]>`
    select schemaname::text as schema, sequencename::text as name, last_value::text as value
    from pg_sequences where schemaname = any (${schemas}) and last_value is not null order by 1, 2`;
}

/** Returns the versions of the applied migrations, oldest first. */
export async function appliedMigrations(sql: Connection): Promise<string[]> {
  const rows = await sql<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by version collate "C"`;
  return rows.map(({ version }) => version);
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const qualified = ({ schema, name }: Pick<BackupTable, "schema" | "name">) =>
  `${quoted(schema)}.${quoted(name)}`;

/**
 * Fixes the text format of values regardless of server settings: qualified names, times in UTC,
 * bytes in hex.
 */
export async function fixTextForms(sql: Connection): Promise<void> {
  await sql.unsafe(`
    set local search_path = '';
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'iso_8601';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local row_security = off;
    -- Rows come one after the other in the order of an index, and nothing is sorted beforehand.
    set local enable_sort = off;
    set local enable_hashjoin = off;
    set local enable_mergejoin = off;
  `);
}

/** Streams a table's rows in its order and in COPY's text format, with backpressure. */
export async function* copyOut(sql: Connection, table: StoredTable): AsyncGenerator<Buffer> {
  const columns = table.columns.map((column) => `t.${quoted(column)}`).join(", ");
  const rows = `select ${columns} from ${qualified(table)} t ${table.order}`;
  const query = sql.unsafe(`copy (${rows}) to stdout`);
  const stream = await query.readable();
  try {
    yield* stream.iterator({ destroyOnReturn: false });
    // The driver pauses its socket when the stream is full. If the last rows have filled the
    // stream, nothing resumes the socket, and the next response would never be read.
    stream._read(0);
  } finally {
    // A consumer that stops early leaves unread rows, and the connection could not close.
    if (!stream.readableEnded && !stream.destroyed) await drain(stream, () => query.cancel());
  }
}

async function drain(stream: Readable, cancel: () => void): Promise<void> {
  cancel();
  stream.resume();
  await finished(stream).catch(() => undefined);
}

import type { Archive } from "./archive-reader";
import { connect } from "./connection";
import { BackupFault } from "./archive-format";
import { copyRows } from "./copy-text";
import { tableEntry } from "./manifest";
import { copyOut, fixTextForms } from "./tables";
import type { StoredTable } from "./tables";

/** A row by column names, with values in PostgreSQL's text format. */
export type TableRow = Readonly<Record<string, string | null>>;

/** Reads the rows of a table in `public` or `private`, in the order of a backup. */
export type RowSource = (schema: string, name: string) => AsyncIterable<TableRow>;

/** Reads rows from a backup. */
export function archivedRows(archive: Archive): RowSource {
  return (schema, name) => {
    const table = archive.about.tables.find((each) => each.schema === schema && each.name === name);
    const entry = table && archive.manifest.tables.find((each) => each.name === tableEntry(table));
    if (!table || !entry)
      throw new BackupFault(`This backup is incomplete: the table ${schema}.${name} is missing.`);
    return named(table.columns, archive.read(entry));
  };
}

/** Reads rows from a database, with one connection per table. */
export function storedRows(url: string, tables: readonly StoredTable[]): RowSource {
  return (schema, name) => {
    const table = tables.find((each) => each.schema === schema && each.name === name);
    if (!table) throw new BackupFault(`The database has no table ${schema}.${name}.`);
    return named(table.columns, read(url, table));
  };
}

async function* read(url: string, table: StoredTable): AsyncGenerator<Buffer> {
  const sql = connect(url);
  try {
    const transaction = await sql.reserve();
    await transaction.unsafe("begin read only");
    await fixTextForms(transaction);
    yield* copyOut(transaction, table);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

async function* named(
  columns: readonly string[],
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<TableRow> {
  for await (const fields of copyRows(chunks))
    yield Object.fromEntries(columns.map((column, index) => [column, fields[index] ?? null]));
}

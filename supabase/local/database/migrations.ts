import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql, TransactionSql } from "postgres";
import {
  areReplaced,
  areReplacedInPart,
  completeReplaced,
  lastReplacement,
} from "./replaced-migrations";

const folder = fileURLToPath(new URL("../../migrations", import.meta.url));

type Migration = { file: string; version: string; name: string };

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).sort();
  return files.flatMap((file) => {
    const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
    return version && name ? [{ file, version, name }] : [];
  });
}

/** Returns the versions of this release's migrations, oldest first. */
export async function releaseVersions(): Promise<string[]> {
  return (await readMigrations()).map(({ version }) => version);
}

/** Reads the versions from the Supabase CLI's history table; empty if there is no table. */
async function appliedVersions(sql: Sql): Promise<Set<string>> {
  const [table] = await sql`select to_regclass('supabase_migrations.schema_migrations') as name`;
  if (table?.name === null) return new Set();
  const rows = await sql<
    { version: string }[]
  >`select version from supabase_migrations.schema_migrations`;
  return new Set(rows.map((row) => row.version));
}

/**
 * Throws if the database's history contains migrations that this release lacks: another release
 * made its schema, and the difference is unknown. Called before anything is changed. Returns the
 * applied versions. The migrations that release 0.1.0 replaced are accepted if all of them, or all
 * but the last two, are there. `applyMigrations` then records their replacements.
 */
export async function checkHistory(sql: Sql): Promise<Set<string>> {
  const applied = await appliedVersions(sql);
  const foreign = await unknownVersions([...applied]);
  if (foreign.length === 0) return applied;
  const way = areReplacedInPart(applied)
    ? "Start it once with the last version before release 0.1.0, which brings it up to date, and " +
      "then with this one; "
    : "Start it with the release that made it, " +
      "for instance to save documents with their histories as files; ";
  throw new Error(
    `The database was made by another release: ${foreign.length} of ` +
      `its migrations are not in this one (the first is ${foreign[0]}). ` +
      `Nothing was changed; all texts and their histories are where they were. ${way}` +
      "to begin with an empty workspace in this release, start it with another data folder: DATA_DIR=… npm start",
  );
}

/** Returns the versions of another database that this release lacks, oldest first. */
export async function unknownVersions(versions: readonly string[]): Promise<string[]> {
  if (areReplaced(versions)) return [];
  const known = new Set((await readMigrations()).map(({ version }) => version));
  return versions.filter((version) => !known.has(version)).sort();
}

/**
 * Applies pending migrations from `supabase/migrations`, records them as the Supabase CLI does, and
 * returns their names. Each migration runs in its own transaction. On an empty database, all run in
 * one, because roles have privileges after the first files that later files revoke. `only` limits
 * the versions, for the schema of an earlier release.
 */
export async function applyMigrations(sql: Sql, only?: ReadonlySet<string>): Promise<string[]> {
  const found = await checkHistory(sql);
  const done = areReplaced(found) ? await takeOver(sql, found) : found;
  const missing = (await readMigrations()).filter(
    ({ version }) => !done.has(version) && (only?.has(version) ?? true),
  );
  if (done.size === 0)
    await sql.begin(async (transaction) => {
      await transaction.unsafe(history);
      for (const each of missing) await apply(transaction, each);
    });
  else for (const each of missing) await sql.begin((transaction) => apply(transaction, each));
  return missing.map(({ file }) => file);
}

/**
 * Records the migrations of release 0.1.0 in a database with the migrations that they replaced. The
 * new migrations do not run, since both make the same schema. Returns the recorded versions.
 */
async function takeOver(sql: Sql, found: ReadonlySet<string>): Promise<Set<string>> {
  const replacements = await replacementsIn(await readMigrations());
  await sql.begin(async (transaction) => {
    await completeReplaced(transaction, found);
    await transaction`delete from supabase_migrations.schema_migrations where true`;
    for (const { migration, text } of replacements) await record(transaction, migration, text);
  });
  return new Set(replacements.map(({ migration }) => migration.version));
}

function replacementsIn(migrations: readonly Migration[]) {
  const own = migrations.filter(({ version }) => version <= lastReplacement);
  return Promise.all(own.map(async (migration) => ({ migration, text: await textOf(migration) })));
}

/** Returns the versions to apply for the schema of a database with these versions. */
export async function presentVersions(versions: readonly string[]): Promise<readonly string[]> {
  if (!areReplaced(versions)) return versions;
  return (await releaseVersions()).filter((version) => version <= lastReplacement);
}

const textOf = ({ file }: Migration) => readFile(join(folder, file), "utf8");

async function record(sql: TransactionSql, { version, name }: Migration, text: string) {
  await sql`
    insert into supabase_migrations.schema_migrations (version, name, statements)
    values (${version}, ${name}, ${[text]})`;
}

const history = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (version text primary key,
  statements text[], name text);
`;

async function apply(sql: TransactionSql, migration: Migration): Promise<void> {
  const text = await textOf(migration);
  try {
    await sql.unsafe(text);
    await record(sql, migration, text);
  } catch (cause) {
    throw new Error(
      `The migration ${migration.file} could not be applied; the database stays as it was before it.`,
      { cause },
    );
  }
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";

const folder = fileURLToPath(new URL("../migrations", import.meta.url));

/** Applies the files of `supabase/migrations` that the database has not seen, each in one transaction, recorded as the Supabase CLI records them. Answers their names. */
export async function applyMigrations(sql: Sql): Promise<string[]> {
  await sql.unsafe(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  `);
  const rows = await sql<
    { version: string }[]
  >`select version from supabase_migrations.schema_migrations`;
  const done = new Set(rows.map((row) => row.version));
  const names = (await readdir(folder)).sort();
  const applied: string[] = [];
  for (const file of names) {
    const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(file) ?? [];
    if (!version || !name || done.has(version)) continue;
    const text = await readFile(join(folder, file), "utf8");
    try {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(text);
        await transaction`
          insert into supabase_migrations.schema_migrations (version, name, statements) values (${version}, ${name}, ${[text]})
        `;
      });
    } catch (cause) {
      throw new Error(
        `The migration ${file} could not be applied; the database stays as it was before it.`,
        { cause },
      );
    }
    applied.push(file);
  }
  return applied;
}

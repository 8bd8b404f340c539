import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "@/tests/support/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

/** Everything that anybody may do with the schema, its tables, sequences and functions, now and later. */
async function privileges(sql: Sql): Promise<string[]> {
  const rows = await sql`
    select 'schema ' || nspacl::text as line from pg_namespace where nspname = 'private'
    union all select c.relname || ' ' || coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's'::"char" else 'r'::"char" end, c.relowner))::text
      from pg_class c where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
    union all select p.oid::regprocedure || ' ' || coalesce(p.proacl, acldefault('f', p.proowner))::text from pg_proc p where p.pronamespace = 'private'::regnamespace
    union all select 'later ' || defaclobjtype::text || ' ' || defaclacl::text from pg_default_acl where defaclnamespace = 'private'::regnamespace
    order by 1`;
  return rows.map(({ line }) => String(line));
}

it("[LOG-60] has row level security only where Supabase Lite may grant everything: it does so on every schema with such a table", async () => {
  const rows = await db.sql`
    select distinct n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relrowsecurity and n.nspname not in ('public', 'storage', 'realtime')`;
  expect([...rows]).toEqual([]);
});

it("[LOG-60] takes back what Supabase Lite granted on the private schema of an existing data folder, and nothing else", async () => {
  const before = await privileges(db.sql);
  await db.sql.unsafe(`
    alter table private.snapshot_parts enable row level security;
    grant usage on schema private to anon, authenticated, service_role;
    grant all on all tables in schema private to anon, authenticated, service_role;
    grant all on all sequences in schema private to anon, authenticated, service_role;
    alter default privileges in schema private grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema private grant all on sequences to anon, authenticated, service_role;`);
  expect(await privileges(db.sql)).not.toEqual(before);
  const file = fileURLToPath(
    new URL("../../supabase/migrations/20261123090000_private_schema.sql", import.meta.url),
  );
  await db.sql.unsafe(await readFile(file, "utf8"));
  expect(await privileges(db.sql)).toEqual(before);
});

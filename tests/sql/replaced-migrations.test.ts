import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  lastReplacement,
  replacedVersions,
  schemaDigest,
} from "@/supabase/local/database/replaced-migrations";
import {
  applyMigrations,
  checkHistory,
  presentVersions,
  releaseVersions,
} from "@/supabase/local/database/migrations";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";
import { requireKnownSchema } from "@/events/backup/restored-database";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
/** The connection to a database with the migrations of 0.1.0 and none of a later release. */
let sql: Sql;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  await db.sql`create database replaced`;
  const url = new URL(db.url);
  url.pathname = "/replaced";
  sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await applyProjectSchema(sql);
  const own = (await releaseVersions()).filter((version) => version <= lastReplacement);
  await applyMigrations(sql, new Set(own));
});
afterEach(async () => {
  await sql.end();
  await db.sql`drop database replaced`;
});

const history = () =>
  sql`select version, name from supabase_migrations.schema_migrations order by version`;

/** Gives the database the migration history of an earlier version. */
async function makeReplaced(versions: readonly string[]) {
  await sql`delete from supabase_migrations.schema_migrations where version <= ${lastReplacement}`;
  for (const version of versions)
    await sql`insert into supabase_migrations.schema_migrations (version) values (${version})`;
}

/** Removes what the last two of the replaced migrations added. */
const withoutTheLastTwo = `
  drop function public.derive_by(text, integer);
  drop table private.derived_rules;
  delete from private.meaning_hooks where event_type = 'version.renamed';
  create or replace function private.told_entry(m private.search_entries, sees_history boolean) returns jsonb
  language sql stable set search_path = '' as $$ select '{}'::jsonb $$;
  create or replace function private.check_replaced(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void language plpgsql set search_path = '' as $$ begin end; $$;
`;

/** Returns an identity of each function and table, which changes if a statement recreates it. */
const objects = () => sql`
  select format('%s %s', p.oid, p.xmin) as object from pg_proc p where p.oid > 16384
  union all
  select format('%s %s', c.oid, c.xmin) from pg_class c where c.relnamespace in
    ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'
  order by 1`;

it("[START-44] a database of the migrations before 0.1.0 is adopted as it is", async () => {
  const [before, own] = [await history(), await objects()];
  await makeReplaced(replacedVersions);
  expect(await checkHistory(sql)).toEqual(new Set(replacedVersions));
  // A restore creates this schema, loads the rows with their history, and continues like this.
  await expect(requireKnownSchema(replacedVersions)).resolves.toBeUndefined();
  expect(await presentVersions(replacedVersions)).toEqual(before.map(({ version }) => version));
  await applyMigrations(sql, new Set(before.map(({ version }) => String(version))));
  expect(await history()).toEqual(before);
  expect(await objects()).toEqual(own);
});

it("[START-44] a database without the last two migrations gets them and is adopted", async () => {
  const before = await history();
  // The database of the version of 28 November, without the last two migrations.
  await sql.unsafe(withoutTheLastTwo);
  await makeReplaced(replacedVersions.slice(0, -2));
  expect(await checkHistory(sql)).toEqual(new Set(replacedVersions.slice(0, -2)));
  await applyMigrations(sql, new Set(before.map(({ version }) => String(version))));
  expect(await history()).toEqual(before);
  // The function exists, and marks the results of an earlier rule.
  expect(await sql`select public.derive_by('search', 1) as marked`).toEqual([{ marked: true }]);
});

it("[START-44] a restored backup without the last two migrations is adopted", async () => {
  const before = await history();
  await makeReplaced(replacedVersions.slice(0, -2));
  expect(await presentVersions(replacedVersions.slice(0, -2))).toEqual(
    before.map(({ version }) => version),
  );
  await applyMigrations(sql, new Set(before.map(({ version }) => String(version))));
  expect(await history()).toEqual(before);
});

it("[START-44] another schema under the same history is refused and unchanged", async () => {
  await makeReplaced(replacedVersions);
  await sql`alter table public.documents add column cover text`;
  const before = await history();
  await expect(applyMigrations(sql)).rejects.toThrow("its schema has been changed since");
  expect(await history()).toEqual(before);
});

it("[START-44] a database of some of these migrations is refused with advice", async () => {
  await makeReplaced(replacedVersions.slice(0, -3));
  await expect(checkHistory(sql)).rejects.toThrow(
    "Start it once with the last version before release 0.1.0",
  );
});

it("[START-44] the digest ignores only comments within functions and the owner's name", async () => {
  const digest = () => sql.begin((transaction) => schemaDigest(transaction));
  const before = await digest();
  const restate = (comment: string, body: string) =>
    sql.unsafe(
      `create or replace function private.in_place(tombstone bytea) returns bytea
language sql immutable set search_path = '' as $$
${comment}  select '\\x000005'::bytea || substring(tombstone from ${body})
$$`,
    );
  await restate("  -- Why.\n", "4");
  expect(await digest()).toBe(before);
  await restate("", "5");
  expect(await digest()).not.toBe(before);
  await restate("", "4");
  await sql`update private.limits set most = most + 1 where name = 'document_bytes'`;
  expect(await digest()).not.toBe(before);
});

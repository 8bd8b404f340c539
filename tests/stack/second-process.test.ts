import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseRights } from "@/supabase/local/database/database-rights";
import { databaseUrl } from "@/tests/support/product/backend";
import { removeFolder } from "@/tests/support/product/data-folder";
import { signUp } from "@/tests/support/writers/people";
import { freePort, launch, startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";

let stack: Stack;
let address: string;
let sql: Sql;

beforeAll(async () => {
  stack = await startStack();
  address = await databaseUrl(stack.dataDir);
  sql = postgres(address, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await stack.dispose();
});

/** Returns what a start would change first: rights, the migration history, schema functions. */
async function touched() {
  const [counts] = await sql`
    select (select count(*) from supabase_migrations.schema_migrations)::int as migrations,
      (select md5(string_agg(xmin::text || proname, ',' order by oid)) from pg_proc) as functions,
      (select md5(string_agg(xmin::text || relname, ',' order by oid)) from pg_class
        where relnamespace in ('public'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
          and relkind in ('r', 'v')) as relations`;
  return { rights: await databaseRights(sql), counts };
}

test("[START-40] a second product on a running one's database ends before it changes anything", async () => {
  const before = await touched();
  const dataDir = await mkdtemp(join(tmpdir(), "palimpsest-second-"));
  const second = launch({
    port: await freePort(),
    dataDir,
    env: { DATABASE_URL: address },
  });
  expect(await second.ended).toBe(1);
  expect(second.output()).toMatch(
    /Another process has the database of DATABASE_URL open \(palimpsest \d+ .*Nothing was changed\./,
  );
  expect(await touched()).toEqual(before);
  expect(await readdir(dataDir)).not.toContain("keys.json");
  await removeFolder(dataDir);

  // The first process continues.
  const ana = await signUp(stack, "Ana");
  await meet([ana]);
  expect((await fetch(`${stack.url}/ready`)).status).toBe(200);
});

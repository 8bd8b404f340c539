import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseRights,
  noteRights,
  settleRights,
} from "@/supabase/local/database/database-rights";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

const roles = "anon, authenticated, service_role";
/** The privileges that Supabase Lite grants at each start, and a few more. */
const everything = `${["public", "storage", "realtime"]
  .map(
    (schema) => `
      grant usage, create on schema ${schema} to ${roles};
      grant all on all tables in schema ${schema} to ${roles};
      grant all on all sequences in schema ${schema} to ${roles};
      alter default privileges in schema ${schema} grant all on tables to ${roles};
      alter default privileges in schema ${schema} grant all on sequences to ${roles};`,
  )
  .join("")}
  grant select (id) on public.events to anon with grant option;
  grant execute on all functions in schema private to ${roles};
  revoke execute on function public.append_events(uuid, bigint, jsonb, uuid) from authenticated;
  revoke select on public.documents from authenticated;`;

const noted = async () =>
  (
    await db.sql`select to_regclass('supabase_migrations.rights_before_lite') is not null as there`
  )[0]?.there;

it("[API-50] restores every privilege granted or revoked since they were noted", async () => {
  const before = await databaseRights(db.sql);
  expect(before.grants.length).toBeGreaterThan(100);
  await noteRights(db.sql);
  await db.sql.unsafe(everything);
  expect(await databaseRights(db.sql)).not.toEqual(before);
  await settleRights(db.sql);
  expect(await databaseRights(db.sql)).toEqual(before);
  expect(await noted()).toBe(false);
  await settleRights(db.sql);
  expect(await databaseRights(db.sql)).toEqual(before);
});

it("[API-50] leaves later privileges alone", async () => {
  await noteRights(db.sql);
  await db.sql.unsafe("create table public.later (id int); grant all on public.later to anon");
  await settleRights(db.sql);
  const [row] = await db.sql`select has_table_privilege('anon', 'public.later', 'truncate') as may`;
  expect(row?.may).toBe(true);
  await db.sql.unsafe("drop table public.later");
});

it.each([
  ["alter table public.events disable trigger b_guard", /trigger b_guard of public\.events/],
  ["alter table public.events enable trigger b_guard", /trigger b_guard of public\.events/],
  ["drop trigger a_refuse_change on public.event_payloads", /trigger a_refuse_change of/],
  [
    "create trigger more before insert on public.events execute function private.refuse_change()",
    /trigger more of public\.events/,
  ],
  [
    "alter table public.members disable row level security",
    /row level security of public\.members/,
  ],
  ["alter table realtime.messages force row level security", /of realtime\.messages/],
  [
    `drop policy "members read their workspaces" on public.workspaces`,
    /policy "members read their workspaces" of public\.workspaces/,
  ],
  ["create policy more on public.events for select using (true)", /policy more of public\.events/],
  [
    `alter policy "members listen to the present topic" on realtime.messages using (true)`,
    /policy "members listen to the present topic" of realtime\.messages/,
  ],
  [
    "create or replace function auth.uid() returns uuid language sql stable as 'select null::uuid'",
    /function of auth\.uid\(\)/,
  ],
  ["alter function private.may_read(uuid) security invoker", /function of private\.may_read/],
  ["alter event trigger pgrst_ddl_watch disable", /event trigger pgrst_ddl_watch/],
])("[API-51] refuses a database with a different guard at each start: %s", async (change, name) => {
  const undone = new Error("undone");
  await db.sql
    .begin(async (sql) => {
      await noteRights(sql);
      await sql.unsafe(`${everything} ${change}`);
      for (let start = 0; start < 2; start += 1)
        await expect(settleRights(sql)).rejects.toThrow(name);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
});

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { schemaText } from "@/supabase/local/database/schema-text";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

const committed = () => readFile("supabase/schema.sql", "utf8");

it("[LOG-61] supabase/schema.sql matches the migrations (otherwise: npm run schema)", async () => {
  expect(await schemaText(db.sql)).toBe(await committed());
});

it.each([
  ["a column", "alter table public.documents add column cover text"],
  ["a default", "alter table private.streams alter column stops set default 1"],
  ["a check", "alter table public.members drop constraint members_role_check"],
  ["an index", "drop index public.members_by_user"],
  ["row level security", "alter table public.events disable row level security"],
  ["a policy", `drop policy "members read their workspaces" on public.workspaces`],
  [
    "a policy of Realtime",
    `drop policy "members listen to the present topic" on realtime.messages`,
  ],
  ["a trigger", "alter table public.events disable trigger b_guard"],
  ["a trigger that no longer fires always", "alter table public.events enable trigger b_guard"],
  ["a right on a table", "grant insert on public.events to authenticated"],
  ["a right on a function", "grant execute on function private.rank(text) to anon"],
  ["a right on the schema", "grant usage on schema private to anon"],
  [
    "an owner",
    "alter function public.append_events(uuid, bigint, jsonb, uuid) owner to service_role",
  ],
  ["a search path", "alter function private.may_read(uuid) reset search_path"],
  [
    "a body",
    "create or replace function private.in_place(tombstone bytea) returns bytea language " +
      "sql immutable set search_path = '' as $$ select tombstone $$",
  ],
  ["a comment", "comment on table public.events is 'x'"],
  ["a statistics target", "alter table public.documents alter column title set statistics 100"],
  [
    "a rule of the law",
    "update private.transitions set needs = 'viewer' where event_type = 'document.renamed'",
  ],
  ["a retired rule", "update private.hosting set retired_at = now()"],
  ["a limit", "update private.limits set most = most + 1 where name = 'document_bytes'"],
])("[LOG-61] shows %s that differs", async (_, change) => {
  let text = "";
  await db.sql
    .begin(async (sql) => {
      await sql.unsafe(change);
      text = await schemaText(sql);
      throw new Error("undone");
    })
    .catch((error: Error) => {
      if (error.message !== "undone") throw error;
    });
  expect(text).not.toBe("");
  expect(text).not.toBe(await committed());
});

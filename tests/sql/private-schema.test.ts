import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

it("[LOG-60] only public, storage and realtime have row level security, where Lite grants all", async () => {
  const rows = await db.sql`
    select distinct n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relrowsecurity and n.nspname not in ('public', 'storage', 'realtime')`;
  expect([...rows]).toEqual([]);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";
import { unboundedChanges } from "./unbounded-changes";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

it("[HOSTED-2] no function changes or deletes rows without WHERE", async () => {
  const functions = await db.sql<{ name: string; source: string }[]>`
    select p.oid::regprocedure::text as name, coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as source
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;
  expect(functions.length).toBeGreaterThan(100);
  const unbounded = functions.flatMap(({ name, source }) =>
    unboundedChanges(source).map((statement) => `${name}: ${statement}`),
  );
  expect(unbounded).toEqual([]);
});

it.each([
  ["delete from a;", 1],
  ["DELETE FROM only public.a", 1],
  ["delete from a where true;", 0],
  ["update a set b = 1;", 1],
  ["update a set b = (select c from d where d.e = 1);", 1],
  ["update a set b = 1 where c = 2;", 0],
  ["delete from a using b where a.id = b.id;", 0],
  ["with gone as (delete from a returning id) select id from gone where id = 1;", 1],
  ["with t as (update a set b = 1 where c = 1 returning id) select id from t;", 0],
  ["select 1 from a where b = 1 for update; -- delete from a", 0],
  ["insert into a values (1) on conflict (b) do update set b = 1;", 0],
  ["execute format('delete from %s', cache);", 1],
  ["execute format('delete from %s where id = $1', cache) using id;", 0],
])("[HOSTED-2] an unbounded change is found: %s", (source, count) => {
  expect(unboundedChanges(source)).toHaveLength(count);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { advisorRules } from "./hosted/advisor-rules";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

describe("the schema", () => {
  it.each(Object.entries(advisorRules))(
    "[LOG-30] passes the database linter's check: %s",
    async (_name, { query, except = {} }) => {
      const rows = await db.sql.unsafe(query);
      expect(rows.map(({ offender }) => String(offender)).sort()).toEqual(
        Object.keys(except).sort(),
      );
    },
  );

  it("[LOG-30] grants anon only the preview of an invitation, and no role the private schema", async () => {
    const tables = await db.sql`
      select c.relname, r.role from pg_class c, unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and (has_table_privilege(r.role, c.oid, 'insert, update, delete, truncate') or (r.role =
          'anon' and has_table_privilege(r.role, c.oid, 'select')))`;
    expect([...tables]).toEqual([]);
    const schemas =
      await db.sql`select role from unnest(array['anon', 'authenticated', 'service_role']) as r
        (role) where has_schema_privilege(role, 'private', 'usage')`;
    expect([...schemas]).toEqual([]);
  });

  it("[API-10] keeps no statistics of tables in REST, whose estimates would reveal hidden rows", async () => {
    const ana = db.newUser("Ana");
    const workspace = randomUUID();
    await db.append(ana, workspace, 0, [
      { type: "workspace.created", body: { name: "Secret plans" } },
    ]);
    for (let index = 0; index < 5; index += 1)
      await db.append(ana, randomUUID(), 0, [
        { type: "document.created", body: { workspaceId: workspace, title: "Secret" } },
      ]);
    await db.sql.unsafe("analyze");
    const gathered = await db.sql`
      select tablename || '.' || attname as offender from pg_stats where schemaname = 'public'
      union all select statistics_name from pg_stats_ext where schemaname = 'public'
      union all select statistics_name from pg_stats_ext_exprs where schemaname = 'public'`;
    expect([...gathered]).toEqual([]);
    // Once there are rows, no statistics of columns or indexed expressions are gathered either.
    const willing = await db.sql`
      select c.relname || '.' || a.attname as offender from pg_class c join pg_attribute a on
        a.attrelid = c.oid left join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and
        a.attstattarget is distinct from 0
        and (c.relkind in ('r', 'p', 'm') or i.indkey[a.attnum - 1] = 0)
      union all select stxname from pg_statistic_ext where stxnamespace = 'public'::regnamespace`;
    expect([...willing]).toEqual([]);
    const [analysed] =
      await db.sql`select reltuples from pg_class where oid = 'public.documents'::regclass`;
    expect(analysed?.reltuples).toBe(5);
  });

  it("[LOG-30] has a linter that finds each kind of fault", async () => {
    await db.sql.unsafe(`
      create table public.bad (x int); create table public.worse (id int primary key, password text);
      alter table public.worse enable row level security; create policy "a" on public.worse using
      (true); create policy "b" on public.worse using (auth.uid() is not null);
      create table private.cached (id int primary key);
      create policy "c" on private.cached using (id = 1);
      create view public.seen as select 1 as one;
      create function public.careless() returns int language sql security definer as 'select 1'`);
    const found = await Promise.all(
      Object.entries(advisorRules).map(async ([name, { query, except = {} }]) =>
        (await db.sql.unsafe(query)).some(({ offender }) => !(String(offender) in except))
          ? [name.slice(0, 4)]
          : [],
      ),
    );
    expect(found.flat()).toEqual([
      "0003",
      "0004",
      "0006",
      "0007",
      "0010",
      "0011",
      "0013",
      "0023",
      "0024",
      "0028",
      "0029",
    ]);
  });
});

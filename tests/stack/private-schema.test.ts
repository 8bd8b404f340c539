import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseUrl } from "@/tests/support/backend";
import { type Stack, startStack } from "@/tests/support/stack";

let stack: Stack;
beforeAll(async () => {
  // A first start in this very folder: what Lite grants then is asked about.
  stack = await startStack({ dataDir: await mkdtemp(join(tmpdir(), "palimpsest-")) });
});
afterAll(() => stack.dispose());

async function withDatabase<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** What the roles of the API may do in the private schema, now and with tables to come. */
const offenders = () =>
  withDatabase(async (sql) => {
    const rows = await sql`
      with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role)
      select role || ' in the schema' as offender from roles where has_schema_privilege(role,
        'private', 'usage, create')
      union all select role || ' on ' || c.relname from roles, pg_class c
        where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and has_table_privilege(role, c.oid, 'select, insert, update, delete, truncate, references, trigger, maintain')
      union all select role || ' on ' || c.relname from roles, pg_class c
        where c.relnamespace = 'private'::regnamespace and c.relkind = 'S' and
          has_sequence_privilege(role, c.oid, 'usage, select, update')
      union all select 'later, on ' || defaclobjtype::text from pg_default_acl where defaclnamespace
      = 'private'::regnamespace
      union all select 'row level security on ' || c.relname from pg_class c where c.relnamespace =
        'private'::regnamespace and c.relrowsecurity`;
    return rows.map(({ offender }) => String(offender));
  });

test(
  "[LOG-60] in a running product no role of the API has anything in the private " +
    "schema, after another start either",
  async () => {
    // Without an answer Lite might not have granted yet.
    expect(
      (
        await fetch(`${stack.url}/rest/v1/workspaces`, {
          headers: { apikey: stack.keys.publishableKey },
        })
      ).status,
    ).toBe(200);
    expect(await offenders()).toEqual([]);
    await stack.restart();
    expect(await offenders()).toEqual([]);
  },
);

import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaText } from "@/supabase/local/database/schema-text";
import { databaseUrl } from "@/tests/support/product/backend";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

let stack: Stack;
beforeAll(async () => {
  // A first start in this folder, because the test is about what Lite grants then.
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

/** Returns the rights of the API's roles in the private schema, on present and future tables. */
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

/** Tries every way to change a table of the exposed schemas without a policy check. */
const past = () =>
  withDatabase(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'storage', 'realtime') and c.relkind in ('r', 'p')`;
    const done: string[] = [];
    for (const { name } of tables)
      for (const role of ["anon", "authenticated", "service_role"])
        for (const statement of [
          `truncate ${name}`,
          `create trigger t before update on ${name} for each row ` +
            "execute function suppress_redundant_updates_trigger()",
          `vacuum ${name}`,
          ...(name.startsWith("public.")
            ? [`delete from ${name}`, `insert into ${name} default values`]
            : []),
        ]) {
          await sql.unsafe(`set role ${role}`);
          // A role that may not vacuum gets only a warning, and no table is vacuumed.
          const refused = await sql.unsafe(statement).then(
            () => statement.startsWith("vacuum"),
            (error: Error) => /^permission denied for/.test(error.message),
          );
          await sql.unsafe("reset role");
          if (!refused) done.push(`${role}: ${statement}`);
        }
    expect(tables.length).toBeGreaterThan(14);
    return done;
  });

test(
  "[LOG-60] [API-50] no API role has rights in the private schema, or extra rights, after a " +
    "second start too",
  async () => {
    for (const again of [false, true]) {
      if (again) await stack.restart();
      // Before this response, Lite might not have granted yet. As on a hosted project, no role may
      // read.
      const { status } = await fetch(`${stack.url}/rest/v1/workspaces`, {
        headers: { apikey: stack.keys.publishableKey },
      });
      expect(status).toBe(401);
      expect(await offenders()).toEqual([]);
      expect(await withDatabase(schemaText)).toBe(await readFile("supabase/schema.sql", "utf8"));
      expect(await past()).toEqual([]);
    }
  },
);

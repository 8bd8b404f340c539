import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBackend } from "@/supabase/local/backend";
import { startPostgres } from "@/supabase/local/database/postgres";
import { readSettings } from "@/supabase/local/settings";
import { freePort } from "@/tests/support/product/stack";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let directory: string;
let server: Awaited<ReturnType<typeof startPostgres>>;
let onlooker: Sql;

beforeAll(async () => {
  process.env.EXPERIMENTAL_STORAGE = "1";
  directory = await mkdtemp(join(tmpdir(), "palimpsest-rights-"));
  server = await startPostgres({ directory, log: () => undefined, settings: { fsync: "off" } });
  onlooker = postgres(server.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await onlooker.end();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Returns the current rights of the API's roles on tables and functions. */
async function rightsNow(): Promise<string[]> {
  const rows = await onlooker<{ may: string }[]>`
    with objects (name, acl) as (
      select c.oid::regclass::text, coalesce(c.relacl, acldefault('r', c.relowner))
      from pg_class c where c.relkind in ('r', 'p', 'v') and c.relnamespace in (
        select oid from pg_namespace
        where nspname in ('public', 'private', 'storage', 'realtime', 'auth', 'embedded'))
      union all
      select p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner))
      from pg_proc p where p.pronamespace in (
        select oid from pg_namespace where nspname in ('public', 'private', 'embedded'))
    )
    select distinct coalesce(r.rolname, 'public') || ' ' || a.privilege_type || ' ' || o.name as may
    from objects o, aclexplode(o.acl) a left join pg_roles r on r.oid = a.grantee
    where a.grantee = 0 or r.rolname in ('anon', 'authenticated', 'service_role')`;
  return rows.map(({ may }) => may);
}

/** Starts and stops the product's backend, and returns all rights seen during that time. */
async function rightsDuringStart(): Promise<{ seen: Set<string>; moments: number }> {
  const dataDir = join(directory, "data");
  await mkdir(dataDir, { recursive: true });
  const settings = readSettings(
    { PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: server.url, DEMO: "0" },
    [],
    root,
  );
  const seen = new Set<string>();
  let [moments, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      for (const right of await rightsNow()) seen.add(right);
      moments += 1;
    }
  })();
  const metrics = { append: () => undefined };
  try {
    const backend = await startBackend(
      settings,
      root,
      () => undefined,
      metrics,
      () => false,
    );
    await backend.close();
  } finally {
    isOver = true;
    await watching;
  }
  return { seen, moments };
}

test.each(["first", "second"])(
  "[API-50] no role has a right during a %s start that it lacks afterwards",
  async () => {
    const { seen, moments } = await rightsDuringStart();
    const after = new Set(await rightsNow());
    expect(after.size).toBeGreaterThan(50);
    expect(moments).toBeGreaterThan(10);
    expect([...seen].filter((right) => !after.has(right)).sort()).toEqual([]);
  },
);

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { readinessOf } from "@/supabase/local/operations/readiness";
import { writeProbe } from "@/supabase/local/operations/write-probe";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";

let db: TestDatabase;
let now = 0;
let probe: ReturnType<typeof writeProbe>;

beforeAll(async () => {
  db = await testDatabase();
  // A commit waits for a standby only if it waits for its flush.
  await db.sql`alter database postgres set synchronous_commit = on`;
  probe = writeProbe(db.url, () => now);
});
afterAll(async () => {
  await probe.close();
  await db.stop();
});
afterEach(() => set(null));

/** Changes one setting of the server, or resets all of them, and reloads. */
async function set(setting: string | null): Promise<void> {
  await db.sql.unsafe(setting === null ? "alter system reset all" : `alter system set ${setting}`);
  await db.sql`select pg_reload_conf()`;
}

/** Returns the probe's result when the probe next queries the database. */
function asked(): Promise<string> {
  now += 5_000;
  return probe.check().then(
    () => "ok",
    (error: unknown) => String(error),
  );
}

const position = async () => {
  const [row] = await db.sql<{ at: string }[]>`
    select (pg_current_wal_flush_lsn() - '0/0')::text as at`;
  return Number(row?.at);
};

it("[OPS-8] flushes a commit to the write-ahead log, on one connection", async () => {
  const before = await position();
  expect(await asked()).toBe("ok");
  const flushed = await position();
  expect(flushed).toBeGreaterThan(before);
  const [found] = await db.sql<{ probes: number }[]>`
    select count(*)::int as probes from pg_stat_activity
    where application_name = 'palimpsest-write-probe'`;
  expect(found?.probes).toBe(1);
});

it("[OPS-8] fails on a read-only database, and recovers with it", async () => {
  await set("default_transaction_read_only = on");
  await expect.poll(asked).toContain("read-only");
  await set(null);
  await expect.poll(asked).toBe("ok");
});

it("[OPS-8] fails while the log is locked", async () => {
  const other = await db.sql.reserve();
  try {
    for (const table of ["public.events", "private.streams"]) {
      await other.unsafe(`begin; lock table ${table} in share mode`);
      expect(await asked()).toContain("lock timeout");
      await other`rollback`;
      expect(await asked()).toBe("ok");
    }
  } finally {
    other.release();
  }
});

it("[OPS-8] [OPS-2] fails while commits hang, with one probe at a time, and recovers with them", async () => {
  const readiness = readinessOf({ writes: probe.check }, () => now);
  const checks = async () => {
    now += 5_000;
    return (await readiness()).checks;
  };
  await expect.poll(checks).toEqual({ writes: "ok" });
  await set("synchronous_standby_names = 'nobody'");
  await expect.poll(checks).toEqual({ writes: "failed" });
  for (let asked = 0; asked < 3; asked += 1) expect(await checks()).toEqual({ writes: "failed" });
  const [found] = await db.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep'`;
  expect(found?.waiting).toBe(1);
  await set(null);
  await expect.poll(checks).toEqual({ writes: "ok" });
});

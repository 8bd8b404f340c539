import { randomUUID } from "node:crypto";
import { access, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "@/supabase/local/database/postgres";
import { databaseUrl } from "@/tests/support/product/backend";
import { removeFolder } from "@/tests/support/product/data-folder";
import { signInAgain, signUp } from "@/tests/support/writers/people";
import { freePort, isGoodStop, launch } from "@/tests/support/product/stack";
import type { Launch } from "@/tests/support/product/stack";

let base: string;
let dataDir: string;
let port: number;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "palimpsest-"));
  dataDir = join(base, "data");
  port = await freePort();
});
afterEach(() => removeFolder(base));

async function start(...args: string[]): Promise<Launch> {
  const run = launch({ port, dataDir, args, env: { STATE_DIR: join(base, "notes") } });
  onTestFinished(async () => {
    run.child.kill("SIGTERM");
    await run.ended;
  });
  await run.ready();
  return run;
}

/** Returns the output of a start that is refused. */
async function refused(): Promise<string> {
  const run = launch({ port, dataDir, env: { STATE_DIR: join(base, "notes") } });
  expect(await run.ended).toBe(1);
  return run.output();
}

const at = async () => {
  const keys: { publishableKey: string; secretKey: string; jwtSecret: string } = JSON.parse(
    await readFile(join(dataDir, "keys.json"), "utf8"),
  );
  return { url: `http://127.0.0.1:${port}`, port, dataDir, keys };
};

/**
 * Starts a person who appends continuously. Counts the acknowledged appends that were sent after
 * `since()` separately.
 */
async function writer() {
  const person = await signUp(await at(), "Ana");
  const stream = randomUUID();
  const append = async (type: string, name: string) => {
    const events = [{ id: randomUUID(), type, body: JSON.stringify({ name }) }];
    const { error } = await person.client.rpc("append_events", {
      stream,
      expected_version: null,
      events,
    });
    return error;
  };
  expect(await append("workspace.created", "0")).toBeNull();
  let stopping = false;
  let acknowledged = 0;
  let late = 0;
  let isLate = false;
  const loop = (async () => {
    for (let count = 1; !stopping; count += 1) {
      const asked = isLate;
      const error = await append("workspace.renamed", String(count));
      if (error) await new Promise((settle) => setImmediate(settle));
      else if (asked) late += 1;
      else acknowledged = count;
    }
  })();
  return {
    person,
    stream,
    acknowledged: () => acknowledged,
    since: () => (isLate = true),
    async end() {
      stopping = true;
      await loop;
      return late;
    },
  };
}

const patient = { timeout: 60_000, interval: 10 };

describe("a data folder that disappears under the server", () => {
  test.each<[string, () => Promise<void>]>([
    ["deleted", () => rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 5 })],
    [
      "left without its database",
      () =>
        rm(join(dataDir, "postgres"), {
          recursive: true,
          force: true,
          maxRetries: 50,
          retryDelay: 5,
        }),
    ],
  ])(
    "[START-30] and is %s: nothing is acknowledged from then on, the end says what is " +
      "so, and no start makes another in its place",
    async (_, spoil) => {
      const run = await start();
      const work = await writer();
      await expect.poll(work.acknowledged, patient).toBeGreaterThan(20);
      await spoil();
      work.since();
      expect(await run.ended).toBe(1);
      expect(await work.end()).toBe(0);
      expect(run.output()).toContain(
        `The data folder ${dataDir} was deleted, moved or replaced while the workspace ran.`,
      );
      expect(run.output()).not.toContain("Nothing that was saved is lost");

      expect(await refused()).toContain("held a workspace when it was last used");
      await expect(access(join(dataDir, "postgres", "cluster"))).rejects.toThrow("ENOENT");
      const again = await start("--new");
      await signUp(await at(), "Ben");
      expect(await again.stop()).toSatisfy(isGoodStop);
    },
  );

  test("[START-31] and was moved: every acknowledged change is there once it is back", async () => {
    const run = await start();
    const work = await writer();
    await expect.poll(work.acknowledged, patient).toBeGreaterThan(20);
    await rename(dataDir, join(base, "elsewhere"));
    work.since();
    expect(await run.ended).toBe(1);
    expect(await work.end()).toBe(0);
    expect(run.output()).toContain("move it back");
    expect(await refused()).toContain("held a workspace when it was last used");
    expect(await readdir(base)).not.toContain("data");

    await rename(join(base, "elsewhere"), dataDir);
    const back = await start();
    const { client } = await signInAgain(await at(), work.person);
    const { data } = await client.from("workspaces").select("name").eq("id", work.stream).single();
    expect(Number(data?.name)).toBeGreaterThanOrEqual(work.acknowledged());
    back.child.kill("SIGTERM");
    await back.ended;
  });
});

test("[START-33] a first start killed before it made its database is simply repeated", async () => {
  const first = launch({ port, dataDir, env: { STATE_DIR: join(base, "notes") } });
  await expect.poll(() => first.output(), patient).toContain("Making the database");
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await start();
  await signUp(await at(), "Carol");
  expect(await second.stop()).toSatisfy(isGoodStop);
});

/** Returns the schema's functions, tables and migration history, and the number of events. */
async function contents(sql: Sql): Promise<unknown> {
  return sql`
    select (select jsonb_agg(m order by version) from supabase_migrations.schema_migrations m) as history,
      (select count(*) from public.events) as events,
      (select jsonb_agg(format('%s %s', p.oid, p.xmin) order by p.oid) from pg_proc p where p.oid > 16384) as functions,
      (select jsonb_agg(format('%s %s', c.oid, c.xmin) order by c.oid) from pg_class c
        where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r') as tables`;
}

test("[START-37] data with other migrations is refused in a sentence and left unchanged", async () => {
  const run = await start();
  await writer().then((work) => work.end());
  const sql = postgres(await databaseUrl(dataDir), { max: 1, onnotice: () => undefined });
  // Gives the first migration the name that an earlier release used.
  const [first] = await sql`
    update supabase_migrations.schema_migrations set version = '20261121130000'
    where version = (select min(version) from supabase_migrations.schema_migrations) returning name`;
  expect(first?.name).toBe("log");
  const before = await contents(sql);
  await sql.end();
  run.child.kill("SIGTERM");
  await run.ended;

  const output = await refused();
  expect(output).toContain("The database was made by another release");
  expect(output).toContain("the first is 20261121130000");
  expect(output).toContain("Nothing was changed");
  expect(output).toContain("DATA_DIR=");
  const server = await startPostgres({
    directory: join(dataDir, "postgres"),
    log: () => undefined,
  });
  onTestFinished(() => server.stop());
  const after = postgres(server.url, { max: 1, onnotice: () => undefined });
  expect(await contents(after)).toEqual(before);
  await after.end();
});

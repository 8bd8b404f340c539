import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, connect } from "node:net";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBackend } from "@/supabase/local/backend";
import { claimDatabase } from "@/supabase/local/database/database-claim";
import { databaseRights } from "@/supabase/local/database/database-rights";
import { startPostgres } from "@/supabase/local/database/postgres";
import { systemClock } from "@/supabase/local/realtime/clock";
import { readSettings } from "@/supabase/local/settings";
import { freePort } from "@/tests/support/product/stack";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let directory: string;
let server: Awaited<ReturnType<typeof startPostgres>>;
let onlooker: Sql;

beforeAll(async () => {
  process.env.EXPERIMENTAL_STORAGE = "1";
  directory = await mkdtemp(join(tmpdir(), "palimpsest-claim-"));
  server = await startPostgres({ directory, log: () => undefined, settings: { fsync: "off" } });
  onlooker = postgres(server.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await onlooker.end();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(name: string, databaseUrl = server.url) {
  const dataDir = join(directory, name);
  await mkdir(dataDir, { recursive: true });
  const settings = readSettings(
    { PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: "0" },
    [],
    root,
  );
  const metrics = { append: () => undefined };
  return startBackend(
    settings,
    root,
    () => undefined,
    metrics,
    () => false,
  );
}

const holders = () => onlooker<{ pid: number }[]>`
  select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 2`;
it("[START-40] a second process on a database is refused before it changes anything", async () => {
  const first = await start("first");
  const rights = await databaseRights(onlooker);
  await expect(start("second")).rejects.toThrow(
    /Another process has the database .*palimpsest \d+/,
  );
  expect(await databaseRights(onlooker)).toEqual(rights);
  expect(await readdir(join(directory, "second"))).toEqual([]);
  await first.checks.database();
  await first.close();
  const second = await start("second");
  await second.close();
});

it("[START-40] claims the database again after a lost connection", async () => {
  const claim = await claimDatabase(server.url, systemClock);
  const [first] = await holders();
  await onlooker`select pg_terminate_backend(${first?.pid ?? 0}, 5000)`;
  await expect.poll(async () => (await holders())[0]?.pid ?? first?.pid).not.toBe(first?.pid);
  await claim.release();
  await expect.poll(holders).toHaveLength(0);
});

it("[START-40] a process learns that another one has taken its claim", async () => {
  const claim = await claimDatabase(server.url, systemClock);
  const [first] = await holders();
  const other = postgres(server.url, { max: 1, onnotice: () => undefined });
  const taken = other`select pg_advisory_lock(1885432432, 1886153580)`.execute();
  await onlooker`select pg_terminate_backend(${first?.pid ?? 0}, 5000)`;
  await taken;
  await claim.lost;
  await claim.release();
  await other.end();
});

it("[START-41] a pooler in transaction mode is refused before anything changes", async () => {
  const pooler = await transactionPooler();
  const rights = await databaseRights(onlooker);
  await expect(start("pooled", pooler.url)).rejects.toThrow("Use the direct connection");
  expect(await databaseRights(onlooker)).toEqual(rights);
  expect(await readdir(join(directory, "pooled"))).toEqual([]);
  pooler.close();
});

/** Emulates a pooler in transaction mode: no notification (`A`) reaches a client. */
async function transactionPooler() {
  const url = new URL(server.url);
  const port = Number(url.port);
  const sockets = new Set<Socket>();
  const proxy: Server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    sockets.add(client).add(upstream);
    client.pipe(upstream);
    let waiting = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 5 && waiting.length > waiting.readInt32BE(1)) {
        const message = waiting.subarray(0, waiting.readInt32BE(1) + 1);
        waiting = waiting.subarray(message.length);
        if (message[0] !== "A".charCodeAt(0)) client.write(message);
      }
    });
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((settle) => proxy.listen(0, "127.0.0.1", settle));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  url.port = String(address.port);
  return {
    url: url.href,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

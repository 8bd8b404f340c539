import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { Sql } from "postgres";
import type { CallTurns } from "@/supabase/local/http/call-turns";
import type { SharedBudget } from "@/supabase/local/http/shared-budget";
import { startBackend } from "@/supabase/local/backend";
import { openReverseProxy, refuseUpgrade } from "@/supabase/local/http/reverse-proxy";
import { answerBackend, mayOpenSocket } from "@/supabase/local/gateway";
import type { Keys } from "@/supabase/local/keys";
import type { CaughtMail } from "@/supabase/local/mail/mailbox";
import { readinessOf } from "@/supabase/local/operations/readiness";
import { readSettings } from "@/supabase/local/settings";
import { newDataFolder, removeFolder } from "./data-folder";
import { freePort } from "./stack";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The embedded backend behind its reverse proxy, in this process and without pages. It starts fast,
 * and tests can count its work.
 */
export type TestBackend = {
  url: string;
  port: number;
  dataDir: string;
  keys: Keys;
  /** The superuser's connections. */
  sql: Sql;
  bodies: SharedBudget;
  calls: CallTurns;
  /** Returns caught mail, newest first. */
  mails(to?: string): CaughtMail[];
  stop(): Promise<void>;
};

/**
 * Starts the backend on a free port with a new data folder. If DATA_DIR in `env`, the product's
 * environment, names a folder, that folder is used and kept.
 */
export async function testBackend(env: Record<string, string> = {}): Promise<TestBackend> {
  process.env.EXPERIMENTAL_STORAGE = "1";
  const port = await freePort();
  const dataDir = env.DATA_DIR ?? (await newDataFolder());
  const settings = readSettings(
    { PORT: String(port), DATA_DIR: dataDir, DEMO: "0", AUTH_RATE_LIMIT: "10000", ...env },
    [],
    root,
  );
  const log = () => undefined;
  const metrics = { request: () => undefined, append: () => undefined };
  const reverseProxy = await openReverseProxy(settings, log, metrics);
  const backend = await startBackend(settings, root, log, metrics, () => false);
  reverseProxy.open({
    request: (incoming, outgoing, peer, isOwn) =>
      answerBackend(backend, peer, incoming, outgoing, isOwn),
    async upgrade(incoming, socket, head, peer) {
      if (mayOpenSocket(backend.keys, incoming))
        return backend.openSocket(incoming, socket, head, peer);
      return refuseUpgrade(socket, "401 Unauthorized");
    },
    readiness: readinessOf(backend.checks, () => performance.now()),
  });
  const sql = postgres(await databaseUrl(dataDir), { max: 4, onnotice: () => undefined });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    keys: backend.keys,
    sql,
    bodies: backend.bodies,
    calls: backend.calls,
    mails: (to) => backend.mailbox.messages(to),
    async stop() {
      await sql.end({ timeout: 1 });
      await reverseProxy.close();
      await backend.close();
      if (env.DATA_DIR === undefined) await removeFolder(dataDir);
    },
  };
}

/** Returns the URL of the database in a data folder, for the superuser. */
export async function databaseUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, "postgres");
  const [password, running] = await Promise.all([
    readFile(join(folder, "password"), "utf8"),
    readFile(join(folder, "cluster", "postmaster.pid"), "utf8"),
  ]);
  return `postgres://postgres:${password}@127.0.0.1:${running.split("\n")[3]}/postgres`;
}

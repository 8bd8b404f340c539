import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { clusterOf } from "@/supabase/local/process/data-folder";
import { FolderInUse, lockFolder } from "@/supabase/local/process/lock";
import { startPostgres } from "@/supabase/local/database/postgres";
import type { Settings } from "@/supabase/local/settings";
import { BackupFault } from "./archive-format";
import { connect } from "./connection";

type DatabaseSource = {
  url: string;
  /** Stops the server if `openDatabase` started it. */
  close(): Promise<void>;
};

/** Returns the path of the keys. A backup without them would make all sessions invalid. */
const keysOf = (dataDir: string) => join(dataDir, "keys.json");

/** The time that a server may take to start or stop, in ms. */
const patience = 60_000;

/**
 * Opens the database of a workspace: the one in DATABASE_URL, the running server's, or the embedded
 * one, which is started and stopped again.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  log: (line: string) => void,
): Promise<DatabaseSource> {
  const needed = databaseUrl === null ? join(clusterOf(dataDir), "PG_VERSION") : keysOf(dataDir);
  await access(needed).catch((cause: unknown) => {
    throw new BackupFault(
      `There is no workspace in ${dataDir}: nothing was written. Name its folder with DATA_DIR.`,
      { cause },
    );
  });
  if (databaseUrl !== null) return { url: databaseUrl, close: async () => undefined };
  const end = Date.now() + patience;
  for (;;) {
    const unlock = await lockFolder(dataDir).catch((error: unknown) => {
      if (error instanceof FolderInUse) return null;
      throw error;
    });
    if (unlock !== null) return startedDatabase(dataDir, unlock, log);
    const url = await runningDatabase(dataDir);
    if (url !== null) return { url, close: async () => undefined };
    if (Date.now() > end)
      throw new BackupFault(
        `The workspace in ${dataDir} is open in another process and its database does not ` +
          "respond. Nothing was written. Try again when it is running.",
      );
    await delay(250);
  }
}

async function startedDatabase(
  dataDir: string,
  unlock: () => Promise<void>,
  log: (line: string) => void,
): Promise<DatabaseSource> {
  try {
    const server = await startPostgres({ directory: join(dataDir, "postgres"), log });
    return {
      url: server.url,
      async close() {
        await server.stop();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Returns the URL of a data folder's running database, or null if it does not respond. */
async function runningDatabase(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, "postgres");
  const running = await readFile(join(clusterOf(dataDir), "postmaster.pid"), "utf8").catch(
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    },
  );
  const [, , , port, , , , status] = running?.split("\n") ?? [];
  if (port === undefined || status?.trim() !== "ready") return null;
  const password = await readFile(join(folder, "password"), "utf8");
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const sql = connect(url);
  try {
    await sql`select 1`;
    return url;
  } catch {
    // The server is stopping, or was killed and left its pid file. The next attempt decides.
    return null;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

// `npm run restore FILE`: restores a backup into a data folder without a workspace.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import { openArchive, readAbout } from "@/supabase/local/backup/archive-reader";
import type { Archive } from "@/supabase/local/backup/archive-reader";
import { admitTarget, openTarget } from "@/supabase/local/backup/restore-target";
import { archivedRows } from "@/supabase/local/backup/table-rows";
import { settleFolder } from "@/supabase/local/process/data-folder";
import { startPostgres } from "@/supabase/local/database/postgres";
import { readSettings } from "@/supabase/local/settings";
import { runCommand, typedIn } from "./command";
import type { Cleanup } from "./command";
import { contentWords } from "./contents";
import { checkLog } from "./log-check";
import type { CheckedLog } from "./log-check";
import { fillDatabase, requireKnownSchema } from "./restored-database";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Durability is not needed yet: the folder is not used before every row is written.
const settings = {
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  autovacuum: "off",
};

async function restore(file: string | undefined, undo: Cleanup[]): Promise<void> {
  if (file === undefined) throw new BackupFault("Usage: npm run restore FILE");
  const path = resolve(typedIn(), file);
  const { dataDir, stateDir, databaseUrl, hosted } = readSettings(process.env, [], root);
  if (hosted || databaseUrl !== null)
    throw new BackupFault(
      "A backup is restored into the embedded database. Unset DATABASE_URL and " +
        "NEXT_PUBLIC_SUPABASE_URL for this command; nothing was changed.",
    );
  await requireKnownSchema((await readAbout(path)).migrations);
  await admitTarget(dataDir);
  console.log(`Verifying ${path}`);
  const archive = await openArchive(path);
  undo.push({ name: "the backup", step: () => archive.close() });
  const log = await checkLog(archivedRows(archive));

  const target = await openTarget(dataDir, console.log);
  undo.push({ name: "the data folder", step: target.release });
  await makeDatabase(target.postgres, archive, log, undo);
  await target.writeFiles(archive);
  await target.publish();
  const place = { folder: dataDir, notes: stateDir, holdsDatabase: true };
  await settleFolder(place, () => new Date(), console.log);
  console.log([`Restored into ${dataDir}`, ...contentWords(archive, log)].join("\n"));
}

async function makeDatabase(
  directory: string,
  archive: Archive,
  log: CheckedLog,
  undo: Cleanup[],
): Promise<void> {
  const server = await startPostgres({ directory, log: console.log, settings });
  undo.push({ name: "the database", step: () => server.stop() });
  await fillDatabase(server.url, archive, log, console.log);
  await server.stop();
}

await runCommand((undo) => restore(process.argv[2], undo));

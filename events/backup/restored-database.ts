import { BackupFault } from "@/supabase/local/backup/archive-format";
import type { Archive } from "@/supabase/local/backup/archive-reader";
import { loadTables, markDocuments } from "@/supabase/local/backup/load";
import { connect } from "@/supabase/local/backup/connection";
import { storedRows } from "@/supabase/local/backup/table-rows";
import { storedTables } from "@/supabase/local/backup/tables";
import {
  applyMigrations,
  presentVersions,
  unknownVersions,
} from "@/supabase/local/database/migrations";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";
import { checkLog } from "./log-check";
import type { CheckedLog } from "./log-check";

/** Refuses a backup whose schema this release does not know. Runs before any other work. */
export async function requireKnownSchema(migrations: readonly string[]): Promise<void> {
  const unknown = await unknownVersions(migrations);
  if (unknown.length === 0) return;
  throw new BackupFault(
    `This backup was made by a newer release: ${unknown.length} of its migrations are not in ` +
      `this one (the first is ${unknown[0]}). Nothing was changed. Restore it with the release ` +
      "that wrote it.",
  );
}

/**
 * Gives an empty database a backup's schema and rows, migrates it to this release, and verifies the
 * chains again. They must match the chains of the file.
 */
export async function fillDatabase(
  url: string,
  archive: Archive,
  checked: CheckedLog,
  log: (line: string) => void,
): Promise<void> {
  const sql = connect(url);
  try {
    await applyProjectSchema(sql);
    await applyMigrations(sql, new Set(await presentVersions(archive.about.migrations)));
    log("Loading the tables");
    await loadTables(url, archive);
    const newer = await applyMigrations(sql);
    if (newer.length > 0)
      log(`Applied ${newer.length} newer ${newer.length === 1 ? "migration" : "migrations"}`);
    await markDocuments(sql);
    await sql.unsafe("analyze");
    log("Verifying what was restored");
    const restored = await checkLog(storedRows(url, await storedTables(sql)));
    if (JSON.stringify(restored) !== JSON.stringify(checked))
      throw new BackupFault("The restored log differs from the backup.");
  } finally {
    await sql.end({ timeout: 1 });
  }
}

import { join } from "node:path";
import type postgres from "postgres";
import { deleteUnnamed } from "./file-storage";
import { printedText } from "./operations/error-text";
import type { Log } from "./operations/log";

const everyMs = 3_600_000;

/** Deletes stored files that no row names; answers how many. */
export async function deleteUnnamedFiles(
  sql: postgres.Sql,
  dataDir: string,
  now: number,
): Promise<number> {
  const named = new Set<string>();
  // As `objectPath` names them.
  const rows = sql<{ file: string }[]>`
    select encode(sha256(
      convert_to(o.bucket_id, 'UTF8') || '\\x00'::bytea || convert_to(o.name, 'UTF8')), 'hex') as file
    from storage.objects o`;
  for await (const some of rows.cursor(10_000)) for (const { file } of some) named.add(file);
  return deleteUnnamed(join(dataDir, "storage"), named, now);
}

/** Deletes such files now and each hour; answers how to stop. */
export function keepFilesNamed(sql: postgres.Sql, dataDir: string, log: Log): () => Promise<void> {
  let stopped = false;
  const round = async () => {
    try {
      const deleted = await deleteUnnamedFiles(sql, dataDir, Date.now());
      if (deleted > 0) log("deleted stored files that had no row", { deleted });
    } catch (error) {
      // Another round comes in an hour.
      if (!stopped)
        log(printedText(error), { level: "error", during: "looking for unnamed files" });
    }
  };
  let current = round();
  const timer = setInterval(() => {
    current = round();
  }, everyMs);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    return current;
  };
}

// `npm run backup [FILE]`: backs up the workspace, running or stopped, as of one moment.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import { openArchive } from "@/supabase/local/backup/archive-reader";
import { ArchiveWriter } from "@/supabase/local/backup/archive-writer";
import { openDatabase } from "@/supabase/local/backup/database-source";
import { openHold } from "@/supabase/local/backup/held-files";
import { connect } from "@/supabase/local/backup/connection";
import { archivedRows } from "@/supabase/local/backup/table-rows";
import { writeBackup } from "@/supabase/local/backup/write-backup";
import { checkHistory } from "@/supabase/local/database/migrations";
import { readSettings } from "@/supabase/local/settings";
import { counted, runCommand, typedIn } from "./command";
import type { Cleanup } from "./command";
import { contentWords } from "./contents";
import { checkLog } from "./log-check";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function backup(file: string | undefined, undo: Cleanup[]): Promise<void> {
  const settings = readSettings(process.env, [], root);
  if (settings.hosted)
    throw new BackupFault(
      "This workspace is on a Supabase project, which makes its own backups: see docs/operate/backups.md, " +
        "Backups.",
    );
  const path = resolve(typedIn(), file ?? defaultName(new Date()));
  const database = await openDatabase(settings, console.log);
  undo.push({ name: "the database", step: database.close });
  await refuseForeign(database.url);
  const hold = await openHold(settings.dataDir);
  undo.push({ name: "the data folder", step: hold.release });
  const writer = await ArchiveWriter.create(path);
  undo.push({ name: "the file", step: () => writer.abandon() });

  console.log(`Writing ${path}`);
  const { lost } = await writeBackup({
    url: database.url,
    hold,
    writer,
    release: await release(),
    now: () => new Date(),
  });
  console.log("Verifying the backup");
  const words = await verifiedWords(writer.draft);
  await writer.publish();
  console.log(words.join("\n"));
  if (lost > 0)
    console.log(
      `${counted(lost, "stored file is", "stored files are")} named in the database and missing ` +
        "in the data folder, so the backup lacks them too.",
    );
  console.log("It holds all texts and the keys that sign sessions: protect it like a password.");
}

/** Describes a backup's content after verifying its log. */
async function verifiedWords(path: string): Promise<string[]> {
  const archive = await openArchive(path);
  try {
    return contentWords(archive, await checkLog(archivedRows(archive)));
  } finally {
    await archive.close();
  }
}

/** Refuses a schema of another release, which looks the same as a damaged schema. */
async function refuseForeign(url: string): Promise<void> {
  const sql = connect(url);
  try {
    await checkHistory(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function release(): Promise<string> {
  const text = await readFile(resolve(root, "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function defaultName(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  return `palimpsest-${day}-${time}.backup`;
}

await runCommand((undo) => backup(process.argv[2], undo));

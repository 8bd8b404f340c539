import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { markerSchema } from "@/supabase/local/process/data-folder";
import { aboutName } from "./archive-format";
import type { ArchiveWriter } from "./archive-writer";
import { FilesMoved } from "./held-files";
import type { FileHold } from "./held-files";
import { fileEntry, tableEntry } from "./manifest";
import type { About, Listed } from "./manifest";
import { withSnapshot } from "./snapshot";
import type { Snapshot } from "./snapshot";

/** Five seconds of attempts: enough to hit a gap between replacements of a busy file. */
const mostTries = 25;

type Request = {
  url: string;
  hold: FileHold;
  writer: ArchiveWriter;
  release: string;
  now: () => Date;
};

/** Writes a snapshot. Returns the number of stored files that had a row and were missing. */
export async function writeBackup(request: Request): Promise<{ lost: number }> {
  for (let attempt = 1; ; attempt += 1) {
    let lost = 0;
    try {
      await withSnapshot(request.url, async (snapshot) => {
        const held = await request.hold.hold(snapshot.objects(), attempt === mostTries);
        lost = held.lost;
        await writeSnapshot(request, snapshot, held.paths);
      });
      return { lost };
    } catch (error) {
      // Files are held before anything is written, so nothing has been written yet.
      if (!(error instanceof FilesMoved)) throw error;
      await request.hold.clear();
      await delay(200);
    }
  }
}

async function writeSnapshot(
  { hold, writer, release, now }: Request,
  snapshot: Snapshot,
  paths: string[],
): Promise<void> {
  const about: About = {
    format: "palimpsest-backup",
    version: 1,
    release,
    takenAt: now().toISOString(),
    folder: await folderId(hold, paths),
    migrations: snapshot.migrations,
    tables: snapshot.tables.map(({ schema, name, columns }) => ({ schema, name, columns })),
    sequences: snapshot.sequences,
  };
  await writer.add(aboutName, Buffer.from(`${JSON.stringify(about)}\n`));
  const tables: Listed[] = [];
  for (const table of snapshot.tables)
    tables.push(await writer.addParts(tableEntry(table), snapshot.rows(table)));
  const files: Listed[] = [];
  for (const path of paths) {
    const bytes = createReadStream(hold.pathOf(path), { highWaterMark: 2 ** 20 });
    files.push(await writer.addParts(fileEntry(path), bytes));
  }
  await writer.finish({ tables, files });
}

async function folderId(hold: FileHold, paths: string[]): Promise<string | null> {
  if (!paths.includes("folder.json")) return null;
  return markerSchema.parse(JSON.parse(await readFile(hold.pathOf("folder.json"), "utf8"))).id;
}

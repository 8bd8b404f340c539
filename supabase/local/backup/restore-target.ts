import { createWriteStream } from "node:fs";
import { access, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  clearRestoring,
  clusterOf,
  markerOf,
  restoringOf,
} from "@/supabase/local/process/data-folder";
import { lockFolder } from "@/supabase/local/process/lock";
import { BackupFault } from "./archive-format";
import type { Archive } from "./archive-reader";
import { isHeldPath } from "./held-files";
import { fileEntry } from "./manifest";
import { syncFolder } from "./sync-folder";

/** A data folder that a backup is restored into. */
type RestoreTarget = {
  /** The folder in which the database is created. */
  postgres: string;
  /** Writes the files of a backup into the staging folder. */
  writeFiles(archive: Archive): Promise<void>;
  /** Moves everything into place. The database is moved last: without it there is no workspace. */
  publish(): Promise<void>;
  /** Removes unpublished files, and unlocks the folder. */
  release(): Promise<void>;
};

/** Throws if a folder contains anything that a restore would replace. */
export async function admitTarget(dataDir: string): Promise<void> {
  if (await exists(clusterOf(dataDir))) throw occupied(dataDir);
  // The files of an interrupted restore are replaced.
  if (await exists(restoringOf(dataDir))) return;
  const stored = await readdir(join(dataDir, "storage")).catch(() => []);
  if (stored.length > 0 || (await exists(markerOf(dataDir)))) throw occupied(dataDir);
}

/** Locks the folder and begins a restore in it. An interrupted restore is replaced. */
export async function openTarget(
  dataDir: string,
  log: (line: string) => void,
): Promise<RestoreTarget> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const unlock = await lockFolder(dataDir);
  const staged = restoringOf(dataDir);
  let publishing: Promise<void> | null = null;
  const release = async () => {
    // Once publishing has begun, nothing is undone. The staging folder prevents a start until
    // publishing is complete.
    await publishing?.catch(() => undefined);
    if (publishing === null) await clearRestoring(dataDir, log);
    await unlock();
    if (made !== undefined && publishing === null) await rmdir(dataDir).catch(() => undefined);
  };
  try {
    await admitTarget(dataDir);
    await clearRestoring(dataDir, log);
    // PostgreSQL, which does not run as root, must be able to traverse it.
    await mkdir(staged, { mode: 0o711 });
  } catch (error) {
    await unlock();
    throw error;
  }
  return {
    postgres: join(staged, "postgres"),
    writeFiles: (archive) => writeFiles(archive, staged),
    publish: () => (publishing ??= publish(staged, dataDir, log)),
    release,
  };
}

async function publish(
  staged: string,
  dataDir: string,
  log: (line: string) => void,
): Promise<void> {
  await mkdir(join(dataDir, "postgres"), { recursive: true });
  await rm(join(dataDir, "demo-wanted"), { force: true });
  for (const name of ["keys.json", "mail.json", "storage", "postgres/password", "folder.json"])
    if (await exists(join(staged, name))) await moveInto(staged, dataDir, name);
  await syncFolder(dataDir);
  await rename(clusterOf(staged), clusterOf(dataDir));
  await syncFolder(join(dataDir, "postgres"));
  await clearRestoring(dataDir, log);
}

async function moveInto(staged: string, dataDir: string, name: string): Promise<void> {
  await rm(join(dataDir, name), { recursive: true, force: true });
  await rename(join(staged, name), join(dataDir, name));
}

async function writeFiles(archive: Archive, staged: string): Promise<void> {
  const prefix = fileEntry("");
  for (const entry of archive.manifest.files) {
    const path = entry.name.slice(prefix.length);
    if (!entry.name.startsWith(prefix) || !isHeldPath(path))
      throw new BackupFault(
        `This backup has a file that does not belong in a data folder: ${entry.name}.`,
      );
    const file = join(staged, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(
      () => archive.read(entry),
      createWriteStream(file, { mode: 0o600, flags: "wx", flush: true }),
    );
  }
}

const occupied = (dataDir: string) =>
  new BackupFault(
    `${dataDir} already holds a workspace, and a restore never replaces one: nothing was changed. ` +
      "Stop the workspace and move the folder away, or name another folder with DATA_DIR.",
  );

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

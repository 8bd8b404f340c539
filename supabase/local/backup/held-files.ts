import { link, mkdir, readFile, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FolderInUse, lockFolder } from "@/supabase/local/process/lock";
import { noteSchema, objectPath } from "@/supabase/local/storage/file-storage";
import { BackupFault } from "./archive-format";
import type { ObjectRow } from "./snapshot";

/** Files whose content is not in the database: the folder's id, its keys and caught mail. */
const own = ["folder.json", "keys.json", "mail.json"];

/** Whether a backup may contain this path of a data folder. */
export const isHeldPath = (path: string): boolean =>
  own.includes(path) || /^storage\/[0-9a-f]{2}\/[0-9a-f]{64}(\.json)?$/.test(path);

/** Thrown if a stored file differs from its row in the snapshot. */
export class FilesMoved extends Error {}

/** The folder in which a backup holds files until it has read them. */
export type FileHold = {
  /** Holds the files of these rows. Returns their paths and the number of missing files. */
  hold(
    objects: AsyncIterable<ObjectRow>,
    isLast: boolean,
  ): Promise<{ paths: string[]; lost: number }>;
  /** Returns the path at which a held file is read. */
  pathOf(path: string): string;
  /** Releases the held files, so that the next attempt can hold them. */
  clear(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Locks a data folder for making a backup. Held files are hard links, whose content stays while the
 * product replaces or removes the originals.
 */
export async function openHold(dataDir: string): Promise<FileHold> {
  const folder = join(dataDir, "backup");
  const unlock = await lockFolder(folder).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error;
    throw new BackupFault(
      `Another backup of ${dataDir} is being made (pid ${error.holder.pid}). ` +
        "Wait until it is done.",
    );
  });
  const held = join(folder, "files");
  const clear = () => rm(held, { recursive: true, force: true });
  await clear();
  return {
    async hold(objects, isLast) {
      const paths: string[] = [];
      let lost = 0;
      for (const path of own) if (await holdFile(dataDir, held, path)) paths.push(path);
      for await (const { bucket, key, etag } of objects) {
        const path = join("storage", objectPath(bucket, key));
        const note = `${path}.json`;
        // Hold the file before its note. The product replaces the note first, so the note of
        // another file is detected.
        const isThere =
          (await holdFile(dataDir, held, path)) && (await holdFile(dataDir, held, note));
        if (isThere && (etag === null || (await etagOf(join(held, note))) === etag))
          paths.push(path, note);
        else if (!isLast) throw new FilesMoved();
        else if (isThere) paths.push(path, note);
        else lost += 1;
      }
      return { paths, lost };
    },
    pathOf: (path) => join(held, path),
    clear,
    async release() {
      await clear();
      await unlock();
      if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
    },
  };
}

/** Hard-links a file, or returns false if the file does not exist. */
async function holdFile(dataDir: string, held: string, path: string): Promise<boolean> {
  await mkdir(dirname(join(held, path)), { recursive: true, mode: 0o700 });
  return link(join(dataDir, path), join(held, path)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    },
  );
}

async function etagOf(note: string): Promise<string | null> {
  const read = noteSchema.safeParse(JSON.parse(await readFile(note, "utf8")));
  return read.success ? read.data.eTag : null;
}

import { link, mkdir, readFile, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FolderInUse, lockFolder } from "@/supabase/local/lock";
import { noteSchema, objectPath } from "@/supabase/local/file-storage";
import { BackupFault } from "./archive-format";
import type { ObjectRow } from "./snapshot";

/** What else of a data folder cannot be had from the database: its keys, its id and caught mail. */
const own = ["folder.json", "keys.json", "mail.json"];

/** The files that a backup may hold, by their path in the data folder. */
export const isHeldPath = (path: string): boolean =>
  own.includes(path) || /^storage\/[0-9a-f]{2}\/[0-9a-f]{64}(\.json)?$/.test(path);

/** Thrown where a stored file is another than its row in the snapshot says. */
export class FilesMoved extends Error {}

/** The place in a data folder where a backup holds the files that it has yet to read. */
export type FileHold = {
  /** Holds what the rows name; answers the paths, and how many files are not there at all. */
  hold(
    objects: AsyncIterable<ObjectRow>,
    isLast: boolean,
  ): Promise<{ paths: string[]; lost: number }>;
  /** Where a held file can be read. */
  pathOf(path: string): string;
  /** Lets go of what was held, to hold it anew. */
  clear(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Takes the turn to make a backup of a data folder. A file that is held has a second name, and
 * stays what it was while the product replaces or removes it.
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
        // The file before its note: they are replaced the other way round, and a note that belongs
        // to another file is seen.
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

/** Gives a file a second name; false where there is none. */
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

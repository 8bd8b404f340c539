import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isMissing, storedText } from "../operations/stored-text";
import { stopOrphan } from "./orphan";

/** The content of `folder.json`. */
export const markerSchema = z.object({ id: z.uuid(), madeAt: z.string() });
const knownSchema = z.object({ folder: z.string(), id: z.uuid(), usedAt: z.string() });

export type FolderPlace = {
  /** The data folder. */
  folder: string;
  /**
   * The file in which this checkout records the data folders it has used. It is outside the data
   * folders, so that it survives the loss of a folder.
   */
  notes: string;
  /** False with DATABASE_URL, where the folder holds everything except the database. */
  holdsDatabase: boolean;
};

/**
 * Returns the path of the file with a data folder's id. The file is created once the folder
 * contains data that can be lost.
 */
export const markerOf = (folder: string): string => join(folder, "folder.json");
/** Returns the path of the staging folder of a restore. */
export const restoringOf = (folder: string): string => join(folder, "restoring");
export const clusterOf = (folder: string): string => join(folder, "postgres", "cluster");

/**
 * Checks whether a start may use a data folder, before anything is changed. A folder that is known
 * to have held data and now holds none was emptied or is not mounted. A new database would hide
 * that, so this throws unless `isNew` is set.
 */
export async function admitFolder(
  place: FolderPlace,
  isNew: boolean,
  log: (line: string) => void,
): Promise<void> {
  const { folder } = place;
  const [marker, known, hasCluster] = await Promise.all([
    readMarker(folder),
    readNote(place),
    exists(join(clusterOf(folder), "PG_VERSION")),
  ]);
  if (place.holdsDatabase ? hasCluster : marker !== null) {
    if (isNew) log(`${folder} already holds a workspace: --new has no effect.`);
    if (known && marker && known.id !== marker.id)
      log(
        `The data in ${folder} is not what was there when it was last used (${day(known.usedAt)}).`,
      );
    return;
  }
  const isRestoring = await exists(restoringOf(folder));
  if (isRestoring && !isNew) {
    throw new Error(
      `A restore into ${folder} has not finished: it is still running, or was ended early. There ` +
        "is no workspace in it yet, and nothing was changed. If it was ended, run it again: " +
        "npm run restore FILE; to begin with an empty workspace instead: npm start -- --new",
    );
  }
  if (!marker && !known && !isRestoring) return;
  if (!isNew) {
    const last = known ? ` when it was last used (${day(known.usedAt)})` : "";
    throw new Error(
      `The data folder ${folder} held a workspace${last} and holds none ` +
        "now: it was deleted or emptied, or its volume is not mounted. " +
        "Nothing was changed. Put it back or mount it and start again; to begin with an " +
        "empty workspace instead: npm start -- --new",
    );
  }
  log(`Creating a new workspace in ${folder}`);
  await rm(markerOf(folder), { force: true });
}

/** Removes the files of an interrupted restore. The caller holds the folder's lock. */
export async function clearRestoring(folder: string, log: (line: string) => void): Promise<void> {
  const staged = restoringOf(folder);
  await stopOrphan(clusterOf(staged), log);
  await rm(staged, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/**
 * Marks a folder that now holds data, and records the folder. Marker and record each survive the
 * loss of the other.
 */
export async function settleFolder(
  place: FolderPlace,
  now: () => Date,
  log: (line: string) => void,
): Promise<void> {
  const { folder, notes } = place;
  const marker = (await readMarker(folder)) ?? { id: randomUUID(), madeAt: now().toISOString() };
  await write(markerOf(folder), marker);
  try {
    await mkdir(notes, { recursive: true });
    await write(noteOf(place), { folder, id: marker.id, usedAt: now().toISOString() });
  } catch (error) {
    log(
      `${notes} cannot be written (${String(error)}): a later ` +
        `start will not notice if ${folder} is emptied. Set ` +
        "STATE_DIR.",
    );
  }
}

async function readMarker(folder: string) {
  return parsed(markerOf(folder), markerSchema);
}

async function readNote(place: FolderPlace) {
  return parsed(noteOf(place), knownSchema);
}

function noteOf({ folder, notes }: FolderPlace): string {
  return join(notes, `${createHash("sha256").update(folder).digest("hex").slice(0, 24)}.json`);
}

async function parsed<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await storedText(file);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${file} cannot be read. It names a data folder; if what it names is in order, remove this file and start again.`,
      { cause },
    );
  }
}

async function write(file: string, value: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Throws if access fails for another reason: an inaccessible folder is not an empty one. */
const exists = (path: string) =>
  access(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

const day = (iso: string) => iso.slice(0, 10);

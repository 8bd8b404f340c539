import { access, constants } from "node:fs/promises";
import { freeBytes } from "./free-space";
import type { Check } from "./readiness";

/**
 * The least free bytes with which the database goes on saving: two files of its write-ahead log. It
 * is far below the floor of uploads (storage/upload-floor.ts), which are refused long before.
 */
export const leastForWrites = 32 * 1024 * 1024;

type Disk = {
  /** Fails where the folder cannot be written: its mode, or a file system that is read-only. */
  mayWrite(folder: string): Promise<void>;
  free(folder: string): Promise<number>;
};

const realDisk: Disk = {
  mayWrite: (folder) => access(folder, constants.W_OK),
  free: freeBytes,
};

/** Checks that the disks with these folders, which may be several, can be written and have room. */
export function diskCheck(folders: readonly string[], disk = realDisk): Check {
  return async () => {
    await Promise.all(
      folders.map(async (folder) => {
        await disk.mayWrite(folder);
        if ((await disk.free(folder)) < leastForWrites) throw new Error(`${folder} has no room`);
      }),
    );
  };
}

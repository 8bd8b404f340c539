import { access, constants } from "node:fs/promises";
import { freeBytes } from "./free-space";
import type { Check } from "./readiness";

/**
 * The free bytes that the database needs to keep writing: two WAL files. This is far below the
 * limit at which uploads are refused (storage/upload-floor.ts).
 */
export const leastForWrites = 32 * 1024 * 1024;

type Disk = {
  /** Rejects if the folder is not writable because of its mode or a read-only file system. */
  mayWrite(folder: string): Promise<void>;
  free(folder: string): Promise<number>;
};

const realDisk: Disk = {
  mayWrite: (folder) => access(folder, constants.W_OK),
  free: freeBytes,
};

/** Checks that these folders, possibly on separate disks, are writable and have space. */
export function diskCheck(folders: readonly string[], disk = realDisk): Check {
  return async () => {
    await Promise.all(
      folders.map(async (folder) => {
        await disk.mayWrite(folder);
        if ((await disk.free(folder)) < leastForWrites)
          throw new Error(`${folder} has no free space`);
      }),
    );
  };
}

import { statfs } from "node:fs/promises";

/** Returns the free bytes of the file system of `folder`, without the reserve for root. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

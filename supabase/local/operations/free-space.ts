import { statfs } from "node:fs/promises";

/** The free bytes of the file system that holds `folder`, as a process without root's reserve sees them. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

import { open } from "node:fs/promises";

/** Brings the names in a folder to the disk, where a folder can be opened: not on Windows. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  if (!folder) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

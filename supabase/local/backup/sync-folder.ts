import { open } from "node:fs/promises";

/** Syncs a folder's entries to disk; does nothing on Windows, where folders cannot be opened. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  if (!folder) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Names the environment variable with the data folder of a first start, which a run's tests copy.
 */
export const template = "DATA_FOLDER_TEMPLATE";

/** Creates a data folder as after a first start, or an empty one if the run has no template. */
export async function newDataFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
  const made = process.env[template];
  // Copied with its owners, because PostgreSQL opens only its own files.
  if (made !== undefined) await promisify(execFile)("cp", ["-a", `${made}/.`, directory]);
  return directory;
}

/** Removes a folder into which a server that has just ended may still write. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

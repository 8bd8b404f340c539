import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where the data folder of a first start lies, of which those of a run's tests are copies. */
export const template = "DATA_FOLDER_TEMPLATE";

/** A data folder as a first start leaves it, or an empty one where no run has made that. */
export async function newDataFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
  const made = process.env[template];
  // With its owners: PostgreSQL opens only what is its own.
  if (made !== undefined) await promisify(execFile)("cp", ["-a", `${made}/.`, directory]);
  return directory;
}

/** Removes a folder, in which a server that was just ended may still write. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

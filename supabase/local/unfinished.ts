import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** The name prefix of a folder in which a cluster is being created. */
export const unfinished = "new-";

/**
 * Removes partial clusters of killed starts. Their initdb may outlive the start by seconds and keep
 * writing, so removal is repeated until no new files appear.
 */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(unfinished))
      await rm(join(directory, name), {
        recursive: true,
        force: true,
        maxRetries: 20,
        retryDelay: 50,
      });
  }
}

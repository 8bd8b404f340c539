import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** What a folder is called while a cluster is made in it. */
export const unfinished = "new-";

/**
 * Removes the half-made clusters of starts that were killed. Whoever made one for them may outlive them by seconds and
 * write on: what comes back is removed again until it is over.
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

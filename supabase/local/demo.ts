import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

type Demo = {
  /**
   * Requests the demo workspace from the page server if this data folder needs one. A failure is
   * logged and retried at the next start.
   */
  load(address: string, secretKey: string): Promise<void>;
};

/**
 * Records on a data folder's first run that the folder needs a demo workspace, so that an
 * interrupted start only delays the workspace.
 */
export async function planDemo(dataDir: string, log: (line: string) => void): Promise<Demo> {
  const note = join(dataDir, "demo-wanted");
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  if (!(await exists(join(dataDir, "postgres", "cluster")))) await writeFile(note, "");
  return {
    async load(address, secretKey) {
      if (!(await exists(note))) return;
      log("Creating the demo workspace");
      try {
        const response = await fetch(`${address}/demo`, {
          method: "POST",
          headers: { authorization: `Bearer ${secretKey}` },
        });
        if (!response.ok) throw new Error(`The page responded with status ${response.status}`);
        await rm(note, { force: true });
      } catch (error) {
        log(
          "The demo workspace could not be created " +
            `(${error instanceof Error ? error.message : String(error)}). Everything else ` +
            "works; the next start tries again.",
        );
      }
    },
  };
}

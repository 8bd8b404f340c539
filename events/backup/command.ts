import { BackupFault } from "@/supabase/local/backup/archive-format";
import { isGone } from "@/supabase/local/backup/connection";
import { FolderInUse } from "@/supabase/local/process/lock";

export type Cleanup = { name: string; step: () => Promise<void> };

/**
 * Runs a terminal command. The functions in `undo` run at its end, last first, and on a signal. Any
 * failure is printed as one sentence and sets the exit code.
 */
export async function runCommand(work: (undo: Cleanup[]) => Promise<void>): Promise<void> {
  const undo: Cleanup[] = [];
  let cleaning: Promise<void> | null = null;
  const clean = () =>
    (cleaning ??= (async () => {
      for (const { name, step } of undo.splice(0).reverse())
        await step().catch((error: unknown) =>
          console.error(`Could not clean up ${name}: ${String(error)}`),
        );
    })());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      console.error("Interrupted.");
      void clean().then(() => process.exit(1));
    });
  // A fault outside any call, for example of a driver, also runs the cleanup.
  process.once("uncaughtException", (error) => {
    if (!cleaning) console.error(faultSentence(error));
    void clean().then(() => process.exit(1));
  });
  try {
    await work(undo);
  } catch (error) {
    // Work that a signal interrupted is not reported again.
    if (!cleaning) console.error(faultSentence(error));
    process.exitCode = 1;
  }
  await clean();
}

const noRoom =
  "The disk is full. The partial output was removed: free some space, or use another disk.";

/** Returns the failure as one sentence for the person at the terminal. */
export function faultSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env.DEBUG) return error.stack ?? error.message;
  if (error instanceof BackupFault || error instanceof FolderInUse) return error.message;
  const code = "code" in error ? String(error.code) : "";
  const path = "path" in error && typeof error.path === "string" ? error.path : "a file";
  // The database reports a full disk by its own message or its own code.
  if (/^(ENOSPC|EDQUOT|EFBIG|53100)$/.test(code)) return noRoom;
  if (/No space left on device|File too large/.test(error.message)) return noRoom;
  if (code === "EACCES" || code === "EPERM")
    return (
      `This user may not read or write ${path}. Run the command as the user who runs the ` +
      "workspace."
    );
  if (code === "ENOENT") return `${path} does not exist: create its folder first.`;
  if (isGone(error))
    return (
      `The connection to the database was lost (${error.message}). The partial output was ` +
      "removed: try again when the workspace is either running or stopped."
    );
  return error.message;
}

/** Returns the folder in which the command was typed; npm changes to the checkout first. */
export const typedIn = (): string => process.env.INIT_CWD ?? process.cwd();

/** Formats a number of bytes for people. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const value = bytes / 1000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`;
}

export const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export const isRoot = process.getuid?.() === 0;

/** A folder of so many megabytes of its own, as a small disk has; as root alone. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<void> {
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder]);
}

/** Lets a folder be written by nobody, or by whoever could before. */
export async function setReadOnly(folder: string, isReadOnly: boolean): Promise<void> {
  // Root may write whatever the mode says, but not where the mount is read-only.
  if (isRoot) await run("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder]);
  else await chmod(folder, isReadOnly ? 0o500 : 0o711);
}

/** Takes what was mounted on a folder away, at once and whoever still has it open. */
export async function unmount(folder: string): Promise<void> {
  await run("umount", ["--lazy", folder]);
}

/**
 * Lets processes make no file longer than so many bytes, as a full disk or a quota does. Needs no
 * root where the processes are one's own; as root it is done as whoever they run as.
 */
export async function limitFiles(processes: readonly number[], bytes: number): Promise<void> {
  for (const id of processes) {
    const owner = await stat(`/proc/${id}`).catch(() => null);
    // One that has ended meanwhile makes no file any more.
    if (owner === null) continue;
    const as = isRoot ? { uid: owner.uid, gid: owner.gid } : {};
    await run("prlimit", ["--pid", String(id), `--fsize=${bytes}:`], as).catch((error: unknown) => {
      if (existsSync(`/proc/${id}`)) throw error;
    });
  }
}

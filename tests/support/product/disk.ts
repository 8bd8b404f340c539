import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export const isRoot = process.getuid?.() === 0;

/** Mounts a small disk of `megabytes` MB at a folder. Requires root. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<void> {
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder]);
}

/** Makes a folder read-only, or writable again. */
export async function setReadOnly(folder: string, isReadOnly: boolean): Promise<void> {
  // Root ignores the mode, but not a read-only mount.
  if (isRoot) await run("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder]);
  else await chmod(folder, isReadOnly ? 0o500 : 0o711);
}

/** Unmounts a folder at once, even if it is in use. */
export async function unmount(folder: string): Promise<void> {
  await run("umount", ["--lazy", folder]);
}

/**
 * Limits files that these processes write to `bytes`, as a full disk or a quota does. Needs no root
 * for one's own processes. Root runs the command as the processes' owner.
 */
export async function limitFiles(processes: readonly number[], bytes: number): Promise<void> {
  for (const id of processes) {
    const owner = await stat(`/proc/${id}`).catch(() => null);
    // A process that has ended writes nothing.
    if (owner === null) continue;
    const as = isRoot ? { uid: owner.uid, gid: owner.gid } : {};
    await run("prlimit", ["--pid", String(id), `--fsize=${bytes}:`], as).catch((error: unknown) => {
      if (existsSync(`/proc/${id}`)) throw error;
    });
  }
}

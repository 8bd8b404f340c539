import { readFileSync } from "node:fs";

/** How many files this process may have open, of which each socket is one; Infinity where that is not known. */
export function openFilesLimit(): number {
  try {
    const [, soft] =
      /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(soft) || Infinity;
  } catch {
    return Infinity;
  }
}

/** What the database's connections, workers, images and files that are read or written need, at most. */
const others = 256;

/**
 * How many sockets leave enough files for everything else. Beyond the limit of the system a socket is cut off
 * without a word, and a file that cannot be opened is a fault.
 */
export const mostSockets = (limit: number): number =>
  limit - Math.min(others, Math.ceil(limit * 0.6));

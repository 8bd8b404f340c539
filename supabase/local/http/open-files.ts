import { readFileSync } from "node:fs";

/** Returns how many files and sockets this process may open; Infinity if unknown. */
export function openFilesLimit(): number {
  try {
    const [, soft] =
      /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(soft) || Infinity;
  } catch {
    return Infinity;
  }
}

/** The most files that database connections, workers, images and other open files need. */
const others = 256;

/**
 * Returns the number of sockets that leaves enough files for everything else. Beyond the system's
 * limit, sockets are closed without a response, and opening a file fails.
 */
export const mostSockets = (limit: number): number =>
  limit - Math.min(others, Math.ceil(limit * 0.6));

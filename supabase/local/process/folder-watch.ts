import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { clusterOf, markerOf } from "./data-folder";
import type { FolderPlace } from "./data-folder";

export type FolderWatch = {
  /**
   * Whether the folder is still in place. Checked before each acknowledgement. Once false, the
   * result stays false.
   */
  holds(): Promise<boolean>;
  /** Resolves when the folder is found to be missing. */
  gone: Promise<void>;
  stop(): void;
};

type Identity = { path: string; device: bigint; inode: bigint };

const lookEvery = 250;

/**
 * Watches a data folder by the device and inode numbers of its files. PostgreSQL does not notice a
 * loss: it keeps writing to unlinked files, and fsync succeeds on them. `newestLog` names the
 * current WAL file. If that file is missing, commits are lost when the server ends.
 */
export function watchFolder(
  { folder, holdsDatabase }: FolderPlace,
  newestLog: () => Promise<string>,
): FolderWatch {
  const cluster = clusterOf(folder);
  const own = holdsDatabase
    ? [cluster, join(cluster, "global", "pg_control"), join(cluster, "pg_wal")]
    : [];
  const known = [folder, markerOf(folder), ...own].map(identify);
  // The open descriptor prevents the inode number from being reused.
  const held = openSync(markerOf(folder), "r");
  let segment: Identity | null = null;
  let lost = false;
  let notify: () => void = () => undefined;
  const gone = new Promise<void>((settle) => (notify = settle));

  const lose = (): false => {
    lost = true;
    clearInterval(timer);
    notify();
    return false;
  };
  const stands = () => known.every(isThere);

  async function holds(): Promise<boolean> {
    if (lost || !stands()) return lose();
    if (!holdsDatabase || (segment !== null && isThere(segment))) return true;
    // Either the WAL has advanced and this file was recycled, or the WAL is missing.
    const now = await newestLog().then(
      (name) => join(cluster, "pg_wal", name),
      () => null,
    );
    // A database that does not respond acknowledges nothing either.
    if (now === null) return stands() || lose();
    segment = find(now);
    return (segment !== null && stands()) || lose();
  }

  const timer = setInterval(() => void holds(), lookEvery);
  timer.unref();
  let stopped = false;
  const stop = () => {
    clearInterval(timer);
    if (!stopped) closeSync(held);
    stopped = true;
  };
  return { holds, gone, stop };
}

function identify(path: string): Identity {
  const found = find(path);
  if (!found) throw new Error(`${path} is missing although it was just created.`);
  return found;
}

function find(path: string): Identity | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path, device: dev, inode: ino };
  } catch {
    // A missing file counts as lost, and so does one on a disk or network without response.
    return null;
  }
}

function isThere({ path, device, inode }: Identity): boolean {
  const found = find(path);
  return found !== null && found.device === device && found.inode === inode;
}

import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { clusterOf, type FolderPlace, markerOf } from "./data-folder";

export type FolderWatch = {
  /** Whether the folder is still what it was: asked before each acknowledgement. Once false, it stays so. */
  holds(): Promise<boolean>;
  /** Settles when the folder is found to be gone. */
  gone: Promise<void>;
  stop(): void;
};

type Identity = { path: string; device: bigint; inode: bigint };

const lookEvery = 250;

/**
 * Watches over a data folder by the identity of what it is made of. PostgreSQL does not: it goes on
 * writing into files that have no name any more, and its fsync of them succeeds. `newestLog` names
 * the file of its log that is written now; with that one gone, a commit is lost when the server
 * ends.
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
  // As long as it is open, no other file gets its number.
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
    // Another file is written now and this one was taken away rightly, or the log is gone.
    const now = await newestLog().then(
      (name) => join(cluster, "pg_wal", name),
      () => null,
    );
    // A database that cannot be asked acknowledges nothing either.
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
  if (!found) throw new Error(`${path} is not there although it was made a moment ago.`);
  return found;
}

function find(path: string): Identity | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path, device: dev, inode: ino };
  } catch {
    // There is none, or a disk or a network that does not answer for it: nothing can be relied on there.
    return null;
  }
}

function isThere({ path, device, inode }: Identity): boolean {
  const found = find(path);
  return found !== null && found.device === device && found.inode === inode;
}

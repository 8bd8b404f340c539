import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { storedText } from "../operations/stored-text";

const run = promisify(execFile);

const holderSchema = z.object({ pid: z.number().int(), startedAt: z.string(), mark: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** Thrown if another running process has the data folder open. */
export class FolderInUse extends Error {
  readonly holder: Holder;

  constructor(holder: Holder) {
    super(
      "Workspace is already open in another process (pid " +
        `${holder.pid}, started ${clock(holder.startedAt)}). Close ` +
        "it first.",
    );
    this.holder = holder;
  }
}

/**
 * Locks the data folder for this process, and returns a function that unlocks it. Never takes the
 * lock from a running process, however old the lock is.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "lock.json");
  const own: Holder = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    mark: await startMark(process.pid),
  };
  const draft = join(folder, `lock-${randomUUID()}.json`);
  try {
    await writeFile(draft, JSON.stringify(own));
    // Linking is atomic, and fails if the name exists. The content is complete before.
    while (!(await linked(draft, file))) {
      const holder = await readHolder(file);
      if (holder && (await lives(holder))) throw new FolderInUse(holder);
      await discard(file, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    const holder = await readHolder(file);
    if (holder?.pid === own.pid && holder.mark === own.mark) await rm(file, { force: true });
  };
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a dead holder's lock. Two processes may find the same holder dead. A process that thereby
 * moves a newer lock aside puts that lock back.
 */
async function discard(file: string, dead: Holder | null): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  const moved = await readHolder(aside);
  if (moved && moved.mark !== dead?.mark) await linked(aside, file);
  await rm(aside, { force: true });
}

async function readHolder(file: string): Promise<Holder | null> {
  const text = await storedText(file);
  if (text === null) return null;
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    // An unreadable lock identifies no process.
    return null;
  }
}

async function lives(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return (await startMark(holder.pid)) === holder.mark;
}

/**
 * Returns a mark that distinguishes a process from a later one with the same pid: the start time
 * since boot on Linux, the start date elsewhere.
 */
async function startMark(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat !== null) {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    // The second field, the program name, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${pid}/${fields[19] ?? ""}/${boot.trim()}`;
  }
  const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  return `${pid}/${stdout.trim()}`;
}

function clock(iso: string): string {
  const started = new Date(iso);
  return `${String(started.getHours()).padStart(2, "0")}:${String(started.getMinutes()).padStart(2, "0")}`;
}

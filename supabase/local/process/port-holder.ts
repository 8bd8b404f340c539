import { readdir, readFile, readlink } from "node:fs/promises";
import { z } from "zod";

/** The path where a running instance identifies itself to callers on its own machine. */
export const instancePath = "/.well-known/palimpsest.json";
export type Instance = { pid: number; startedAt: string };

const instanceSchema = z.object({ pid: z.number().int(), startedAt: z.string() });

/** Returns a message that names the owner of the port, if known. */
export async function portInUse(port: number): Promise<string> {
  const advice = "Close it first, or choose another port with PORT.";
  const instance = await askInstance(port);
  if (instance) {
    const started = new Date(instance.startedAt);
    const clock = `${String(started.getHours()).padStart(2, "0")}:${String(started.getMinutes()).padStart(2, "0")}`;
    return (
      "Workspace is already open in another process (pid " +
      `${instance.pid}, started ${clock}) on port ${port}. ` +
      `${advice}`
    );
  }
  const owner = await ownerOf(port);
  const who = owner ? `${owner.name} (pid ${owner.pid})` : "another program";
  return `Port ${port} is in use by ${who}. ${advice}`;
}

async function askInstance(port: number): Promise<Instance | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${instancePath}`, {
      // A busy instance may take seconds to respond. A silent listener only delays the message.
      signal: AbortSignal.timeout(10_000),
    });
    return instanceSchema.parse(await response.json());
  } catch {
    // The listener is not one of our instances.
    return null;
  }
}

/** Finds the socket's owner in /proc; null outside Linux, or if another user owns the socket. */
async function ownerOf(port: number): Promise<{ pid: number; name: string } | null> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const listening = "0A";
  const inodes = tables
    .flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)))
    .filter((fields) => fields[1]?.endsWith(`:${hex}`) && fields[3] === listening)
    .map((fields) => `socket:[${fields[9]}]`);
  if (inodes.length === 0) return null;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(
      handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => "")),
    );
    if (!links.some((link) => inodes.includes(link))) continue;
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "another program");
    return { pid: Number(pid), name: name.trim() };
  }
  return null;
}

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  BackupFault,
  block,
  manifestHashName,
  manifestName,
  padding,
  partBytes,
  tarHeader,
} from "./archive-format";
import { syncFolder } from "./sync-folder";
import type { Listed, Manifest, StoredEntry } from "./manifest";

const pack = promisify(gzip);

/**
 * Writes a backup under a temporary name, and renames it once it is completely on disk. An
 * interrupted backup never has its final name.
 */
export class ArchiveWriter {
  private readonly entries: StoredEntry[] = [];
  private readonly handle: FileHandle;
  private readonly path: string;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.handle = handle;
  }

  /** Creates a backup that only its owner can read. Fails if the file exists. */
  static async create(path: string): Promise<ArchiveWriter> {
    await refuseExisting(path);
    const draft = draftOf(path);
    // An interrupted run left this file: the caller holds the lock for making backups.
    await rm(draft, { force: true });
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
    return new ArchiveWriter(path, await open(draft, flags, 0o600));
  }

  /** The temporary path until it is published. */
  get draft(): string {
    return draftOf(this.path);
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.entries.push({ name, bytes: bytes.length, sha256 });
    await this.append(name, bytes);
  }

  /** Stores a stream in parts under a name, and returns the total size and hash. */
  async addParts(name: string, source: AsyncIterable<Buffer>): Promise<Listed> {
    const whole = createHash("sha256");
    let parts = 0;
    let bytes = 0;
    let lines = 0;
    const store = async (part: Buffer) => {
      whole.update(part);
      bytes += part.length;
      lines += linesIn(part);
      parts += 1;
      await this.add(partName(name, parts), await pack(part, { level: 3 }));
    };
    const waiting = new PartBuffer();
    for await (const chunk of source) for (const part of waiting.take(chunk)) await store(part);
    const rest = waiting.rest();
    if (rest.length > 0) await store(rest);
    return { name, parts, bytes, lines, sha256: whole.digest("hex") };
  }

  /** Writes the manifest and syncs the file, which gets its final name in `publish`. */
  async finish(lists: Omit<Manifest, "entries">): Promise<void> {
    const manifest: Manifest = { ...lists, entries: this.entries };
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
    const sha256 = createHash("sha256").update(text).digest("hex");
    await this.append(manifestName, text);
    await this.append(manifestHashName, Buffer.from(`${sha256}  ${manifestName}\n`));
    await this.write(Buffer.alloc(2 * block));
    await this.handle.sync();
    await this.handle.close();
  }

  /** Gives the finished file its name. Fails if another file has taken the name. */
  async publish(): Promise<void> {
    await link(this.draft, this.path).then(
      () => rm(this.draft),
      async (error: unknown) => {
        if (isExisting(error)) throw alreadyThere(this.path);
        // The file system, such as a memory stick's, has no hard links.
        await refuseExisting(this.path);
        await rename(this.draft, this.path);
      },
    );
    await syncFolder(dirname(this.path));
  }

  /** Removes the unfinished file. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.draft, { force: true });
  }

  private async append(name: string, bytes: Buffer): Promise<void> {
    await this.write(tarHeader(name, bytes.length));
    await this.write(bytes);
    await this.write(Buffer.alloc(padding(bytes.length)));
  }

  private async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;)
      at += (await this.handle.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}

export const partName = (name: string, number: number) =>
  `${name}/${String(number).padStart(8, "0")}.gz`;

const draftOf = (path: string) => `${path}.partial`;

export function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** Splits chunks of any length into parts of equal length. */
class PartBuffer {
  private chunks: Buffer[] = [];
  private length = 0;

  *take(chunk: Buffer): Generator<Buffer> {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length < partBytes) return;
    const all = this.rest();
    let at = 0;
    for (; all.length - at >= partBytes; at += partBytes) yield all.subarray(at, at + partBytes);
    this.chunks = [all.subarray(at)];
    this.length = all.length - at;
  }

  rest(): Buffer {
    const all = Buffer.concat(this.chunks);
    this.chunks = [];
    this.length = 0;
    return all;
  }
}

async function refuseExisting(path: string): Promise<void> {
  const found = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    },
  );
  await found?.close();
  if (found) throw alreadyThere(path);
}

const alreadyThere = (path: string) =>
  new BackupFault(`${path} already exists and was not changed. Choose another name.`);

const isExisting = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EEXIST";

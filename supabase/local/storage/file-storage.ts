import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App } from "@supabase/lite";
import { z } from "zod";
import { syncFolder } from "../backup/sync-folder";

type StorageAdapter = NonNullable<App["_storageAdapter"]>;
type Metadata = Awaited<ReturnType<StorageAdapter["headObject"]>>;
type Upload = Parameters<StorageAdapter["uploadObject"]>[3];

/** Returns the path of an object's file in the storage folder. Its note ends with `.json`. */
export function objectPath(bucket: string, key: string): string {
  const name = createHash("sha256").update(`${bucket}\0${key}`).digest("hex");
  return join(name.slice(0, 2), name);
}

/** The name of a file or note before it is completely written. */
const draftName = /^[0-9a-f]{64}\.[0-9a-f-]{36}(\.json)?$/;

async function subfoldersOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /^[0-9a-f]{2}$/.test(name)).map((name) => join(folder, name));
}

/**
 * Deletes the partial files of a killed process, which have no row in the database. Call before
 * writing starts.
 */
export async function deleteDrafts(folder: string): Promise<void> {
  for (const subfolder of await subfoldersOf(folder))
    for (const name of await readdir(subfolder))
      if (draftName.test(name)) await rm(join(subfolder, name), { force: true });
}

/** The content of a file's note. */
export const noteSchema = z.object({
  mimetype: z.string(),
  cacheControl: z.string(),
  eTag: z.string(),
  size: z.number(),
  lastModified: z.coerce.date(),
});

/**
 * Stores objects as files named by a hash of bucket and key, so that a key cannot act as a path.
 * Each file has a note with its metadata.
 */
export class FileStorage implements StorageAdapter {
  driver = null;
  private readonly folder: string;
  /** Uploads in progress by file. A deletion cancels them too. */
  private readonly writing = new Map<string, Set<{ isDeleted: boolean }>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  async getObject(bucket: string, key: string) {
    const file = this.file(bucket, key);
    const [body, metadata] = await Promise.all([readFile(file), this.note(file)]);
    return { metadata, httpStatusCode: 200, body };
  }

  async uploadObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    body: Upload,
    mimetype: string,
    cacheControl: string,
  ): Promise<Metadata> {
    const file = this.file(bucket, key);
    await makeFolderOf(file);
    const draft = `${file}.${randomUUID()}`;
    const own = { isDeleted: false };
    const writing = this.writing.get(file) ?? new Set();
    this.writing.set(file, writing.add(own));
    try {
      const { eTag, size } = await writeStream(draft, body);
      const note = { mimetype, cacheControl, eTag, size, lastModified: new Date() };
      if (!own.isDeleted) await this.publish(draft, file, note);
      // The deletion removed the object's row, so the file would remain without a row.
      if (own.isDeleted) {
        await deleteFile(file);
        throw new Error("The object was deleted during the upload");
      }
      return { ...note, contentLength: note.size, httpStatusCode: 200 };
    } catch (error) {
      // A partial upload has no use.
      await rm(draft, { force: true });
      throw error;
    } finally {
      writing.delete(own);
      if (writing.size === 0) this.writing.delete(file);
    }
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    const file = this.file(bucket, key);
    for (const own of this.writing.get(file) ?? []) own.isDeleted = true;
    await deleteFile(file);
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.deleteObject(bucket, key)));
  }

  async copyObject(
    sourceBucket: string,
    source: string,
    _version: string | undefined,
    bucket: string,
    key: string,
  ): Promise<{ httpStatusCode: number; eTag: string; lastModified: Date }> {
    const from = this.file(sourceBucket, source);
    const [bytes, { mimetype, cacheControl, eTag, size }] = await Promise.all([
      readFile(from),
      this.note(from),
    ]);
    const lastModified = new Date();
    await this.write(this.file(bucket, key), bytes, {
      mimetype,
      cacheControl,
      eTag,
      size,
      lastModified,
    });
    return { httpStatusCode: 200, eTag, lastModified };
  }

  async headObject(bucket: string, key: string): Promise<Metadata> {
    return this.note(this.file(bucket, key));
  }

  async privateAssetUrl(bucket: string, key: string): Promise<string> {
    return `file://${this.file(bucket, key)}`;
  }

  private file(bucket: string, key: string): string {
    return join(this.folder, objectPath(bucket, key));
  }

  private async note(file: string): Promise<Metadata> {
    const note = noteSchema.parse(JSON.parse(await readFile(`${file}.json`, "utf8")));
    return { ...note, contentLength: note.size, httpStatusCode: 200 };
  }

  private async write(
    file: string,
    bytes: Uint8Array,
    note: z.infer<typeof noteSchema>,
  ): Promise<void> {
    await makeFolderOf(file);
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, bytes, { flush: true });
    await this.publish(draft, file, note);
  }

  private async publish(
    draft: string,
    file: string,
    note: z.infer<typeof noteSchema>,
  ): Promise<void> {
    await writeFile(`${draft}.json`, JSON.stringify(note), { flush: true });
    await rename(`${draft}.json`, `${file}.json`);
    await rename(draft, file);
    // Synced before the database records that the object exists.
    await syncFolder(dirname(file));
  }
}

/** Creates a file's folder if it is missing, durably. */
async function makeFolderOf(file: string): Promise<void> {
  const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Deletes a stored file and its note. */
async function deleteFile(file: string): Promise<void> {
  await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
}

/** Writes an upload as a stream, and never holds the whole upload in memory. */
async function writeStream(path: string, body: Upload): Promise<{ eTag: string; size: number }> {
  const hash = createHash("md5");
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body instanceof Uint8Array ? [body] : webStream(body)) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await pipeline(counted, createWriteStream(path, { mode: 0o600, flush: true }));
  return { eTag: `"${hash.digest("hex")}"`, size };
}

/** Converts Lite's stream type, which covers the browser's and Node's: both are one class. */
function webStream(stream: Exclude<Upload, Uint8Array>): AsyncIterable<Uint8Array> {
  if (stream instanceof ReadableStream) return stream.values();
  throw new TypeError("An upload must be bytes or a web stream");
}

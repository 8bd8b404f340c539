import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

type Stored = { workspace: string; sha256: string };

/** The buckets that this service reads and writes: two permanent ones, and pending uploads. */
type Kept = "files" | "avatars";
type Bucket = Kept | "uploads";

/** Returns the object name of a file, or of its preview of the given width. */
export function objectName({ workspace, sha256 }: Stored, width: number | null = null): string {
  return `${workspace}/${sha256}${width === null ? "" : `.${width}`}`;
}

/** Returns the HTTP status of a Storage error, or 503 if there was no response. */
export const statusOf = (error: object) =>
  "status" in error && typeof error.status === "number" ? error.status : 503;

/** Stores bytes in a bucket, replacing an existing object. */
export async function putObject(
  service: SupabaseClient,
  bucket: Kept,
  name: string,
  bytes: Uint8Array,
  type: string,
): Promise<void> {
  // The bytes are copied, because a view would send its whole underlying buffer.
  const body = new Blob([new Uint8Array(bytes)], { type });
  const { error } = await service.storage
    .from(bucket)
    .upload(name, body, { contentType: type, upsert: true });
  if (error) throw new StoreFault(error.message, statusOf(error));
}

/** Copies an object within the bucket. Skips a missing source, and keeps an existing target. */
export async function copyObject(service: SupabaseClient, from: string, to: string): Promise<void> {
  const { error } = await service.storage.from("files").copy(from, to);
  const isGone = error !== null && [400, 404, 409].includes(statusOf(error));
  if (error && !isGone) throw new StoreFault(error.message, statusOf(error));
}

/** Streams an object's bytes. Resolves to null if the object does not exist. */
export async function objectStream(
  service: SupabaseClient,
  bucket: Bucket,
  name: string,
): Promise<ReadableStream | null> {
  const { data, error } = await service.storage.from(bucket).download(name).asStream();
  if (data) return data;
  if (statusOf(error) === 400 || statusOf(error) === 404) return null;
  throw new StoreFault(error.message, statusOf(error));
}

/** Reads the bytes of an upload. Resolves to null if the upload is missing. */
export async function takeUpload(
  service: SupabaseClient,
  path: string,
): Promise<Uint8Array | null> {
  const { data, error } = await service.storage.from("uploads").download(path);
  if (data) return new Uint8Array(await data.arrayBuffer());
  if (statusOf(error) === 400 || statusOf(error) === 404) return null;
  throw new StoreFault(error.message, statusOf(error));
}

/** The bytes within which an image header ends. */
const longestHead = 65_536;

/** Reads the first bytes of an upload. Resolves to null if the upload is missing. */
export async function beginningOf(
  service: SupabaseClient,
  path: string,
): Promise<Uint8Array | null> {
  const stream = await objectStream(service, "uploads", path);
  if (stream === null) return null;
  const beginning = new Uint8Array(longestHead);
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  while (length < longestHead) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, longestHead - length);
    beginning.set(part, length);
    length += part.length;
  }
  await reader.cancel();
  return beginning.subarray(0, length);
}

/** Deletes objects. Missing objects are ignored. */
export async function removeObjects(
  service: SupabaseClient,
  bucket: Bucket,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const { error } = await service.storage.from(bucket).remove([...names]);
  if (error) throw new StoreFault(error.message, statusOf(error));
}

import type { SupabaseClient } from "@supabase/supabase-js";
import { toBase64 } from "@/events/core/bytes/base64";
import { systemRandom } from "@/events/core/clock";
import { validationRule } from "./validation";
import { limits } from "@/events/core/limits";
import { isBindings, type WholeState } from "./document-state";
import { faultOf } from "@/events/log/store";

/**
 * A document's state with what opening it needs beside the text: who is bound to which client id,
 * and the highest schema in its log.
 */
export type Snapshot = WholeState & { owners: [client: number, userId: string][]; schema: number };

/**
 * What opening a document had to read behind its newest snapshot: how many events, their bytes, and
 * the snapshot's own.
 */
export type Tail = { events: number; bytes: number; snapshot: number };

/**
 * What a snapshot was folded from: the hash of its last event, and the newest version of the log
 * when reading it for this began.
 */
type Folded = { head: string; seen?: number };

const mostEvents = 64;
const leastBytes = 32_768;

/** Whether a new snapshot is worth its bytes: the tail is long for a reader, or as heavy as half of the snapshot. */
export function isSnapshotDue({ events, bytes, snapshot }: Tail): boolean {
  return events > mostEvents || bytes >= Math.max(leastBytes, snapshot / 2);
}

type Caller = Pick<SupabaseClient, "rpc">;

const mark = 0x50414c31;
const footer = 8;
/** What is larger goes to and fro in parts. */
const wholeBytes = 4 * 1_048_576;
const partBytes = 1_048_576;

/**
 * Packs a snapshot: the plain Yjs v1 state, then the bindings as JSON, their length and a mark,
 * which a Yjs decoder never reads.
 */
export function packSnapshot({ state, owners, schema }: Omit<Snapshot, "version">): Uint8Array {
  const metadata = new TextEncoder().encode(
    JSON.stringify({ owners, schema, rule: validationRule }),
  );
  const packed = new Uint8Array(state.length + metadata.length + footer);
  packed.set(state);
  packed.set(metadata, state.length);
  const view = new DataView(packed.buffer);
  view.setUint32(state.length + metadata.length, metadata.length);
  view.setUint32(state.length + metadata.length + 4, mark);
  return packed;
}

/**
 * Reads what packSnapshot wrote; null for bytes without the mark, whose bindings nobody knows, and
 * for a state made by another rule of which edits count.
 */
export function unpackSnapshot(packed: Uint8Array): Omit<Snapshot, "version"> | null {
  if (packed.length < footer) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = packed.length - footer;
  const start = end - view.getUint32(end);
  if (view.getUint32(end + 4) !== mark || start < 0) return null;
  const metadata: unknown = JSON.parse(new TextDecoder().decode(packed.subarray(start, end)));
  if (
    typeof metadata !== "object" ||
    metadata === null ||
    !("owners" in metadata) ||
    !("schema" in metadata)
  )
    return null;
  if (!("rule" in metadata) || metadata.rule !== validationRule) return null;
  const { owners, schema } = metadata;
  return isBindings(owners) && typeof schema === "number"
    ? { state: packed.subarray(0, start), owners, schema }
    : null;
}

/**
 * What is kept of a stream's state: at which version, its size, its bytes unless they are to be
 * read in parts, the version behind which the document cannot be folded, and how much of what it
 * may hold it holds, from 0 to 1.
 */
type FoundSnapshot = {
  version: number | null;
  size: number;
  state: string | null;
  stoppedAt: number | null;
  fullness: number;
};

/** Looks for the newest snapshot of a stream, or the newest at or before a version, that the reader may see. */
export async function findSnapshot(
  client: Caller,
  stream: string,
  at: number | null = null,
): Promise<FoundSnapshot> {
  const { data, error, status } = await client.rpc("open_snapshot", { stream, at_version: at });
  if (error) throw faultOf(error, status);
  const answer: unknown = data;
  const none: FoundSnapshot = { version: null, size: 0, state: null, stoppedAt: null, fullness: 0 };
  if (
    typeof answer !== "object" ||
    answer === null ||
    !("version" in answer && "size" in answer && "state" in answer && "stoppedAt" in answer)
  )
    return none;
  const { version, size, state, stoppedAt } = answer;
  const part = (name: "bytes" | "pieces") =>
    Number((answer as Record<string, unknown>)[name] ?? 0) / limits[`document_${name}`];
  return {
    version: typeof version === "number" ? version : null,
    size: typeof size === "number" ? size : 0,
    state: typeof state === "string" ? state : null,
    stoppedAt: typeof stoppedAt === "number" ? stoppedAt : null,
    fullness: Math.min(1, Math.max(part("bytes"), part("pieces"))),
  };
}

/** Reads a snapshot that was found; null when there is none that can be used. */
export async function wholeSnapshot(
  client: Caller,
  stream: string,
  { version, size, state }: FoundSnapshot,
): Promise<Snapshot | null> {
  if (version === null) return null;
  // Only a server reads snapshots, and it has a quicker way through megabytes; what is no snapshot has no mark.
  const packed =
    state !== null ? Buffer.from(state, "base64") : await readParts(client, stream, version, size);
  const unpacked = packed && unpackSnapshot(packed);
  return unpacked && { version, ...unpacked };
}

async function readParts(
  client: Caller,
  stream: string,
  version: number,
  size: number,
): Promise<Buffer | null> {
  const packed = Buffer.alloc(size);
  for (let start = 0; start < size; start += partBytes) {
    const { data, error, status } = await client.rpc("read_snapshot_part", {
      stream,
      version,
      start,
    });
    if (error) throw faultOf(error, status);
    const part: unknown = data;
    // A newer one has taken its place meanwhile.
    if (typeof part !== "string") return null;
    packed.set(Buffer.from(part, "base64"), start);
  }
  return packed;
}

/**
 * The newest snapshot of a stream, or the newest at or before a version, that the reader may see;
 * null when there is none that can be used.
 */
export async function readSnapshot(
  client: Caller,
  stream: string,
  at: number | null = null,
): Promise<Snapshot | null> {
  return wholeSnapshot(client, stream, await findSnapshot(client, stream, at));
}

/**
 * Keeps a snapshot; the client must be the service's, everybody else is refused. The database takes
 * it only for the log that it was folded from, and a state from before a redaction only if that was
 * seen.
 */
export async function writeSnapshot(
  client: Caller,
  stream: string,
  { version, ...rest }: Snapshot,
  { head, seen = version }: Folded,
): Promise<void> {
  const packed = packSnapshot(rest);
  const whole = packed.length <= wholeBytes;
  const upload = whole ? null : systemRandom.uuid();
  for (let part = 0; !whole && part * partBytes < packed.length; part += 1) {
    const bytes = toBase64(packed.subarray(part * partBytes, (part + 1) * partBytes));
    const { error, status } = await client.rpc("write_snapshot_part", {
      stream,
      version,
      upload,
      part,
      bytes,
    });
    if (error) throw faultOf(error, status);
  }
  const { error, status } = await client.rpc("write_snapshot", {
    stream,
    version,
    state: whole ? toBase64(packed) : null,
    seen,
    head,
    upload,
  });
  if (error) throw faultOf(error, status);
}

/**
 * Lets go of a document's snapshots and segments, so that they are made anew from its log; only for
 * who may edit it.
 */
export async function renewCaches(client: Caller, stream: string): Promise<void> {
  const { error, status } = await client.rpc("renew_caches", { stream });
  if (error) throw faultOf(error, status);
}

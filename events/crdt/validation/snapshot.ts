import type { SupabaseClient } from "@supabase/supabase-js";
import { toBase64 } from "@/events/core/bytes/base64";
import { systemRandom } from "@/events/core/clock";
import { validationRule } from "./validation";
import { limits } from "@/events/core/limits";
import { isBindings } from "./document-state";
import type { WholeState } from "./document-state";
import { faultOf } from "@/events/log/store";

/**
 * A document's state with the other data needed to open it: the owner of each client id, and the
 * highest schema version in its log.
 */
export type Snapshot = WholeState & { owners: [client: number, userId: string][]; schema: number };

/**
 * The data read after the newest snapshot when a document was opened: the number of events and
 * their bytes. `snapshot` is the size of the snapshot in bytes.
 */
export type Tail = { events: number; bytes: number; snapshot: number };

/**
 * The source of a snapshot: the hash of the last event folded into it, and the log's newest version
 * when the reading began.
 */
type Folded = { head: string; seen?: number };

const mostEvents = 64;
const leastBytes = 32_768;

/**
 * Whether a new snapshot is worth its bytes: the tail is long for a reader, or weighs at least half
 * as much as the snapshot.
 */
export function isSnapshotDue({ events, bytes, snapshot }: Tail): boolean {
  return events > mostEvents || bytes >= Math.max(leastBytes, snapshot / 2);
}

type Caller = Pick<SupabaseClient, "rpc">;

const mark = 0x50414c31;
const footer = 8;
/** Snapshots larger than this are transferred in parts. */
const wholeBytes = 4 * 1_048_576;
const partBytes = 1_048_576;

/**
 * Packs a snapshot: the plain Yjs v1 state, the bindings as JSON, the length of the JSON, and a
 * mark. A Yjs decoder reads only the state.
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
 * Unpacks a snapshot. Returns null for bytes without the mark, whose bindings are unknown, and for
 * a state made by another validation rule.
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
 * The stored snapshot of a stream: its version, its size, its bytes (null if they are read in
 * parts), and the version after which the document cannot be folded. `fullness` is how full the
 * document is, from 0 to 1.
 */
type FoundSnapshot = {
  version: number | null;
  size: number;
  state: string | null;
  stoppedAt: number | null;
  fullness: number;
};

/**
 * Finds the newest snapshot of a stream that the reader may see. With `at`, the newest at or before
 * that version.
 */
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

/** Reads a found snapshot. Returns null if the snapshot cannot be used. */
export async function wholeSnapshot(
  client: Caller,
  stream: string,
  { version, size, state }: FoundSnapshot,
): Promise<Snapshot | null> {
  if (version === null) return null;
  // Only a server reads snapshots, so Buffer is available, which decodes megabytes faster. Bytes
  // that are no snapshot lack the mark.
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
    // A newer snapshot has replaced this one.
    if (typeof part !== "string") return null;
    packed.set(Buffer.from(part, "base64"), start);
  }
  return packed;
}

/**
 * Reads the newest snapshot of a stream that the reader may see. With `at`, the newest at or before
 * that version. Returns null if none can be used.
 */
export async function readSnapshot(
  client: Caller,
  stream: string,
  at: number | null = null,
): Promise<Snapshot | null> {
  return wholeSnapshot(client, stream, await findSnapshot(client, stream, at));
}

/**
 * Stores a snapshot. Only the service's client may do so. The database accepts the snapshot only
 * for the log that it was folded from. It accepts a state from before a redaction only if the
 * reading included that redaction.
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
 * Discards a document's snapshots and segments, so that they are rebuilt from its log. Only editors
 * may do so.
 */
export async function renewCaches(client: Caller, stream: string): Promise<void> {
  const { error, status } = await client.rpc("renew_caches", { stream });
  if (error) throw faultOf(error, status);
}

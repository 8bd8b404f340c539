// The log's hashes, byte for byte as specified in docs/spec and as the database computes them
// (supabase/migrations/…_log.sql). A field is its length in bytes as a big-endian 32-bit integer,
// then its bytes; null is the length 0xFFFFFFFF alone.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Ruled } from "@/events/core/envelope";
import { digest } from "@/events/core/bytes/sha256";

type Field = Uint8Array | null;

const utf8 = new TextEncoder();
const nullLength = 0xffffffff;

function encode(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + 4 + (field?.length ?? 0), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of fields) {
    view.setUint32(at, field ? field.length : nullLength);
    if (field) bytes.set(field, at + 4);
    at += 4 + (field?.length ?? 0);
  }
  return bytes;
}

const sha256 = (fields: readonly Field[]) => digest(encode(fields));

function integers(values: readonly (number | bigint)[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => view.setBigInt64(index * 8, BigInt(value)));
  return bytes;
}

const integer = (value: number | bigint) => integers([value]);
const uuid = (id: string) => hexToBytes(id.replaceAll("-", ""));

/**
 * Returns the microseconds since 1970 of an ISO 8601 time in UTC with up to six decimals. `Date`
 * keeps only three decimals.
 */
export function microseconds(time: string): bigint {
  const [, seconds, fraction = ""] =
    /^(\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(time) ?? [];
  if (seconds === undefined) throw new RangeError("Not an ISO 8601 time in UTC");
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

/**
 * Returns the hash that an event commits to: SHA-256 over the salt (16 bytes), the body as stored,
 * and the update.
 */
export async function payloadHash(
  salt: Uint8Array,
  body: string,
  update: Uint8Array | null,
): Promise<string> {
  return bytesToHex(
    await sha256([utf8.encode("palimpsest-payload/1"), salt, utf8.encode(body), update]),
  );
}

/**
 * Returns the next hash of the chain: SHA-256 over the previous hash (hex; null before version 1)
 * and every column of the row.
 */
export async function eventHash(previous: string | null, event: Ruled): Promise<string> {
  return bytesToHex(
    await sha256([
      utf8.encode("palimpsest-event/1"),
      previous === null ? null : hexToBytes(previous),
      uuid(event.id),
      uuid(event.streamId),
      utf8.encode(event.streamKind),
      event.workspaceId === null ? null : uuid(event.workspaceId),
      integer(event.version),
      event.position === null ? null : integer(event.position),
      utf8.encode(event.type),
      utf8.encode(event.subject.kind),
      uuid(event.subject.id),
      utf8.encode(event.fromPhase),
      utf8.encode(event.toPhase),
      integer(event.schema),
      uuid(event.actorId),
      event.clientIds.length === 0 ? null : integers(event.clientIds),
      integer(microseconds(event.clientTime)),
      integer(microseconds(event.recordedAt)),
      hexToBytes(event.payloadHash),
    ]),
  );
}

/** A stream's last seen head. `hash` is null before version 1. */
export type Head = { version: number; hash: string | null };
export const beginning: Head = { version: 0, hash: null };

type Verification =
  | { ok: true; head: Head; redacted: number }
  | { ok: false; version: number; fault: "missing-event" | "payload-differs" | "chain-broken" };

/**
 * Whether `events` continue the stream from a known head: versions have no gap, every payload
 * matches its commitment, and every hash is right.
 */
export async function verifyChain(
  events: readonly Ruled[],
  from: Head = beginning,
): Promise<Verification> {
  let head = from;
  let redacted = 0;
  for (const event of events) {
    const version = head.version + 1;
    if (event.version !== version || event.streamId !== events[0]?.streamId)
      return { ok: false, version, fault: "missing-event" };
    if (event.bodyText === null || event.salt === null) redacted += 1;
    else if (
      (await payloadHash(hexToBytes(event.salt), event.bodyText, event.update)) !==
      event.payloadHash
    )
      return { ok: false, version, fault: "payload-differs" };
    if ((await eventHash(head.hash, event)) !== event.hash)
      return { ok: false, version, fault: "chain-broken" };
    head = { version, hash: event.hash };
  }
  return { ok: true, head, redacted };
}

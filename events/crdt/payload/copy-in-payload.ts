/**
 * A payload may hold content from another stream (a copy-in). Its first bytes say so, so the hash
 * covers it and readers need not know which event types copy content in.
 */
const header = [0, 0, 3] as const;
const uuidBytes = 16;
const length = header.length + uuidBytes;

type CopyInPayload = {
  /** The id of the source stream. */
  source: string;
  /** The copied content, as any event's payload. */
  payload: Uint8Array;
};

/** Marks a payload as copied in from the stream `source`. */
export function copyInPayload({ source, payload }: CopyInPayload): Uint8Array {
  const digits = source.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new RangeError("The source is not a UUID");
  const bytes = new Uint8Array(length + payload.length);
  bytes.set(header);
  for (let at = 0; at < uuidBytes; at += 1)
    bytes[header.length + at] = parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  bytes.set(payload, length);
  return bytes;
}

/** A payload's copied content and its source; null for content of the payload's own stream. */
export function readCopyIn(payload: Uint8Array): CopyInPayload | null {
  if (payload.length <= length || header.some((byte, at) => payload[at] !== byte)) return null;
  const digits = Array.from(payload.subarray(header.length, length), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const source = [0, 8, 12, 16, 20]
    .map((from, at, all) => digits.slice(from, all[at + 1]))
    .join("-");
  return { source, payload: payload.subarray(length) };
}

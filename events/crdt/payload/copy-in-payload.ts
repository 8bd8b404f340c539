/**
 * The first bytes of a payload that holds content from another stream (a copy-in). The hash covers
 * these bytes, and readers need not know which event types copy content in.
 */
const header = [0, 0, 3] as const;
const uuidBytes = 16;
const length = header.length + uuidBytes;

type CopyInPayload = {
  /** The id of the source stream. */
  source: string;
  /** The copied content, encoded like the payload of any event. */
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

/** Returns a payload's copied content and its source. Null if the payload is no copy-in. */
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

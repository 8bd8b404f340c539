/**
 * The byte format of redactions. The redacting event carries a tombstone: `00 00 04` and a payload
 * without content, or nothing if the redacted event had no update. The carried tombstone has no
 * effect of its own. The database stores it as `00 00 05` in place of the destroyed payload.
 * Because the markers are in the bytes, readers need not know which event types redact.
 */
const brought = 4;
const standing = 5;
const headerLength = 3;

const isMarked = (bytes: Uint8Array, mark: number) =>
  bytes.length >= headerLength && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === mark;

/**
 * Marks a payload without content as a tombstone for the redacting event. `payload` is null if the
 * redacted event has no update.
 */
export function bringTombstone(payload: Uint8Array | null): Uint8Array {
  const tombstone = new Uint8Array(headerLength + (payload?.length ?? 0));
  tombstone[2] = brought;
  if (payload) tombstone.set(payload, headerLength);
  return tombstone;
}

/** Whether an update is a tombstone that its event carries for another event. */
export function bringsTombstone(update: Uint8Array): boolean {
  return isMarked(update, brought);
}

/** Returns the payload that replaced a destroyed one, or null for an intact update. */
export function readTombstone(update: Uint8Array): Uint8Array | null {
  return isMarked(update, standing) ? update.subarray(headerLength) : null;
}

/** Returns the stored form of the tombstone that an event carries. */
export function standInPlace(tombstone: Uint8Array): Uint8Array {
  const update = tombstone.slice();
  update[2] = standing;
  return update;
}

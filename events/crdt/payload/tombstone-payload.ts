/**
 * Redaction in bytes. The event that redacts brings a tombstone (`00 00 04` and a payload without content, or nothing
 * where the event had no update); it says nothing where it stands. The database puts it, as `00 00 05`, in the place of
 * the payload that it destroys. Both are in the bytes, so that no reader has to know which types of event redact.
 */
const brought = 4;
const standing = 5;
const headerLength = 3;

const isMarked = (bytes: Uint8Array, mark: number) =>
  bytes.length >= headerLength && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === mark;

/**
 * Marks a payload without content as a tombstone, to be brought by the event that redacts; null for
 * an event without update.
 */
export function bringTombstone(payload: Uint8Array | null): Uint8Array {
  const tombstone = new Uint8Array(headerLength + (payload?.length ?? 0));
  tombstone[2] = brought;
  if (payload) tombstone.set(payload, headerLength);
  return tombstone;
}

/** Whether an update is a tombstone that its event brings for another one. */
export function bringsTombstone(update: Uint8Array): boolean {
  return isMarked(update, brought);
}

/** The payload that stands in the place of a destroyed one; null for an update that is whole. */
export function readTombstone(update: Uint8Array): Uint8Array | null {
  return isMarked(update, standing) ? update.subarray(headerLength) : null;
}

/** What the database makes of the tombstone that an event brings. */
export function standInPlace(tombstone: Uint8Array): Uint8Array {
  const update = tombstone.slice();
  update[2] = standing;
  return update;
}

import { isBindings } from "./document-state";
import type { WholeState } from "./document-state";

/**
 * The deflate level of a state. A lower level makes it larger, and a higher level takes longer. The
 * reader who opens the page waits for both.
 */
export const stateLevel = 4;

/** A deflated state, loaded separately from its page, with the data needed to open it. */
type StateApart = {
  version: number;
  owners: NonNullable<WholeState["owners"]>;
  state: Uint8Array;
  since: Uint8Array[];
};

/**
 * Packs a state into one byte array: the length of the metadata, the metadata, the state, and the
 * updates since.
 */
export function packApart({ version, owners, state, since }: StateApart): Uint8Array<ArrayBuffer> {
  const metadata = new TextEncoder().encode(
    JSON.stringify({ version, owners, lengths: [state, ...since].map(({ length }) => length) }),
  );
  const packed = new Uint8Array(
    4 + metadata.length + state.length + since.reduce((sum, { length }) => sum + length, 0),
  );
  new DataView(packed.buffer).setUint32(0, metadata.length);
  let at = 4;
  for (const part of [metadata, state, ...since]) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/** Unpacks the bytes of `packApart`. Throws on any other bytes. */
export function unpackApart(
  packed: Uint8Array<ArrayBuffer>,
): StateApart & { state: Uint8Array<ArrayBuffer> } {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  const metadata: unknown = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
  if (
    typeof metadata !== "object" ||
    metadata === null ||
    !("version" in metadata && "owners" in metadata && "lengths" in metadata)
  )
    throw new TypeError("Invalid document state");
  const { version, owners, lengths } = metadata;
  if (typeof version !== "number" || !isBindings(owners) || !Array.isArray(lengths))
    throw new TypeError("Invalid document state");
  let at = 4 + length;
  const [state, ...since] = lengths.map((each: unknown) => {
    const part = packed.subarray(at, at + Number(each));
    at += part.length;
    return part;
  });
  if (!state) throw new TypeError("Invalid document state");
  return { version, owners, state, since };
}

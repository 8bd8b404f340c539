/** The OBU types that hold pixels: the sequence header, and frames with their tiles. */
const sequenceHead = 1;
const frameKinds = new Set([3, 4, 6, 7]);
/** The longest sequence header: it has some fifty fields, all of them short. */
const longestHead = 64;

type Unit = { kind: number; bytes: Buffer; length: number };

/** Reads a LEB128 number. Returns its value and the position after it, or null. */
function numberAt(bytes: Buffer, from: number): { value: number; end: number } | null {
  let value = 0;
  for (let place = 0; place < 8; place += 1) {
    const byte = bytes[from + place];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * place);
    if ((byte & 0x80) === 0) return { value, end: from + place + 1 };
  }
  return null;
}

/** Returns the units (OBUs) of an AV1 picture, or null if they do not fill its bytes exactly. */
function unitsIn(bytes: Buffer): Unit[] | null {
  const units: Unit[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = bytes[at] ?? 0;
    const behindHead = at + (head & 0x04 ? 2 : 1);
    const size =
      head & 0x02
        ? numberAt(bytes, behindHead)
        : { value: bytes.length - behindHead, end: behindHead };
    if (size === null || size.end + size.value > bytes.length) return null;
    const end = size.end + size.value;
    units.push({ kind: (head >> 3) & 15, bytes: bytes.subarray(at, end), length: size.value });
    at = end;
  }
  return units;
}

/**
 * Reduces an AV1 picture to the units that hold its pixels, without padding and metadata. Returns
 * null if the picture cannot be parsed.
 */
export function bareAv1(bytes: Buffer): Buffer | null {
  const units = unitsIn(bytes);
  const head = units?.find(({ kind }) => kind === sequenceHead);
  if (!units || !head || head.length > longestHead) return null;
  const frames = units.filter(({ kind }) => frameKinds.has(kind));
  return frames.length === 0
    ? null
    : Buffer.concat([head.bytes, ...frames.map((frame) => frame.bytes)]);
}

/** Returns an item's `av1C` configuration: four bytes, and a repeated sequence header if any. */
export function bareConfiguration(bytes: Buffer): Buffer | null {
  if (bytes.length < 4) return null;
  const head = unitsIn(bytes.subarray(4))?.find(({ kind }) => kind === sequenceHead);
  const known = head && head.length <= longestHead ? head.bytes : Buffer.alloc(0);
  return Buffer.concat([bytes.subarray(0, 4), known]);
}

import { Deflate } from "fflate";
import { bundleLimits, isAttachmentPath } from "./bundle-format";
import { crc32 } from "./zip-crc";

const slice = 256 * 1024;
/** 1 January 1980: a constant date, so that equal content always gives an identical file. */
const dosDate = 0x0021;
const utf8Names = 0x0800;

type Entry = {
  name: Uint8Array;
  crc: number;
  size: number;
  method: 0 | 8;
  data: Uint8Array[];
  packed: number;
};

async function deflated(bytes: Uint8Array, breathe: () => Promise<void>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const stream = new Deflate({ level: 6 }, (part) => parts.push(part));
  for (let from = 0; from < bytes.length; from += slice) {
    stream.push(bytes.subarray(from, from + slice), from + slice >= bytes.length);
    await breathe();
  }
  return parts;
}

const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0);

async function entryOf(
  path: string,
  bytes: Uint8Array,
  breathe: () => Promise<void>,
): Promise<Entry> {
  const name = new TextEncoder().encode(path);
  let crc = 0;
  for (let from = 0; from < bytes.length; from += slice) {
    crc = crc32(bytes.subarray(from, from + slice), crc);
    await breathe();
  }
  const base = { name, crc, size: bytes.length };
  const asIs = { ...base, method: 0 as const, data: [bytes], packed: bytes.length };
  // Attachments such as images are already compressed.
  if (isAttachmentPath(path)) return asIs;
  const data = await deflated(bytes, breathe);
  const packed = sizeOf(data);
  // Content that compresses beyond a reader's limit of the ratio is stored uncompressed.
  if (packed >= bytes.length || bytes.length > packed * bundleLimits.ratio) return asIs;
  return { ...base, method: 8, data, packed };
}

/**
 * Returns the fields that a local header and the central directory share, from "version needed" to
 * "extra field length".
 */
function commonFields({ crc, size, method, packed, name }: Entry): DataView {
  const view = new DataView(new ArrayBuffer(26));
  view.setUint16(0, 20, true);
  view.setUint16(2, utf8Names, true);
  view.setUint16(4, method, true);
  view.setUint16(8, dosDate, true);
  view.setUint32(10, crc, true);
  view.setUint32(14, packed, true);
  view.setUint32(18, size, true);
  view.setUint16(22, name.length, true);
  return view;
}

const bytesOf = (view: DataView) => new Uint8Array(view.buffer);

function directoryRecord(entry: Entry, offset: number): Uint8Array[] {
  const head = new Uint8Array([0x50, 0x4b, 1, 2, 20, 0]);
  const tail = new DataView(new ArrayBuffer(14));
  tail.setUint32(10, offset, true);
  return [head, bytesOf(commonFields(entry)), bytesOf(tail), entry.name];
}

/** Packs files into a zip, in order. `breathe` yields to other work between two slices. */
export async function packZip(
  files: readonly (readonly [path: string, bytes: Uint8Array])[],
  breathe: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [path, bytes] of files) {
    const entry = await entryOf(path, bytes, breathe);
    const local = [
      new Uint8Array([0x50, 0x4b, 3, 4]),
      bytesOf(commonFields(entry)),
      entry.name,
      ...entry.data,
    ];
    directory.push(...directoryRecord(entry, offset));
    parts.push(...local);
    offset += sizeOf(local);
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, sizeOf(directory), true);
  end.setUint32(16, offset, true);
  const all = [...parts, ...directory, bytesOf(end)];
  const zip = new Uint8Array(sizeOf(all));
  let at = 0;
  for (const part of all) {
    zip.set(part, at);
    at += part.length;
  }
  return zip;
}

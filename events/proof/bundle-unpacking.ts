import { Inflate } from "fflate";
import { mostFileBytes } from "@/events/core/file-types";
import { BundleError, bundleLimits, bundlePaths, isAttachmentPath } from "./bundle-format";
import type { BundledPath } from "./bundle-format";
import { crc32 } from "./zip-crc";

type Entry = {
  path: BundledPath;
  name: Uint8Array;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
};

const endLength = 22;
const longestComment = 65_535;
const inflateSlice = 64 * 1024;
const symbolicLink = 0o120000;
/** Flags without effect: compression level, sizes after the data, UTF-8 names. */
const harmlessFlags = 0x0002 | 0x0004 | 0x0008 | 0x0800;

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const broken = () =>
  new BundleError("This is not a whole zip file: it was cut off or changed on its way.");

function endOf(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endLength - longestComment);
  for (let at = view.byteLength - endLength; at >= lowest; at -= 1) {
    if (
      view.getUint32(at, true) === 0x06054b50 &&
      at + endLength + view.getUint16(at + 20, true) === view.byteLength
    )
      return at;
  }
  throw new BundleError("This is not a zip file, so it is not a bundle.");
}

function pathOf(name: Uint8Array): BundledPath {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new BundleError("The zip has a file whose name is not UTF-8.");
  }
  const known = bundlePaths.find((path) => path === text);
  if (known) return known;
  if (isAttachmentPath(text)) return text;
  const shown = JSON.stringify(text.slice(0, 80));
  if (/^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)|\\|\0/i.test(text))
    throw new BundleError(`The zip has a file, ${shown}, that would leave its folder.`);
  throw new BundleError(`The zip has a file that does not belong to a bundle: ${shown}.`);
}

function entryAt(bytes: Uint8Array, view: DataView, at: number): { entry: Entry; next: number } {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50) throw broken();
  const short = (offset: number) => view.getUint16(at + offset, true);
  const long = (offset: number) => view.getUint32(at + offset, true);
  const name = bytes.subarray(at + 46, at + 46 + short(28));
  const path = pathOf(name);
  if (short(8) & ~harmlessFlags)
    throw new BundleError(`${path} is encrypted or packed in a way that bundles do not use.`);
  const method = short(10);
  if (method !== 0 && method !== 8)
    throw new BundleError(`${path} is packed in a way that bundles do not use.`);
  if (((long(38) >>> 16) & 0o170000) === symbolicLink)
    throw new BundleError(`${path} is a link and not a file.`);
  const entry = {
    path,
    name,
    method,
    crc: long(16),
    packed: long(20),
    size: long(24),
    offset: long(42),
  };
  return { entry, next: at + 46 + short(28) + short(30) + short(32) };
}

function directoryOf(bytes: Uint8Array, view: DataView): { entries: Entry[]; start: number } {
  const end = endOf(view);
  const [count, total] = [view.getUint16(end + 8, true), view.getUint16(end + 10, true)];
  const [size, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (view.getUint32(end + 4, true) !== 0 || count !== total)
    throw new BundleError("The zip is in several parts, which bundles are not.");
  const most = bundlePaths.length + bundleLimits.files;
  if (count > most)
    throw new BundleError(`The zip has ${count} files; a bundle has at most ${most}.`);
  if (start + size !== end) throw broken();
  const entries: Entry[] = [];
  const paths = new Set<string>();
  let at = start;
  while (entries.length < count) {
    const { entry, next } = entryAt(bytes, view, at);
    if (paths.has(entry.path)) throw new BundleError(`The zip has ${entry.path} twice.`);
    paths.add(entry.path);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw broken();
  return { entries, start };
}

function refuseExcess(entries: readonly Entry[]): void {
  for (const { path, size, packed } of entries) {
    if (isAttachmentPath(path) && size > mostFileBytes)
      throw new BundleError(`${path} is larger than the ${mostFileBytes / 2 ** 20} MB of a file.`);
    if (size > packed * bundleLimits.ratio)
      throw new BundleError(
        `${path} says it unpacks to more than ${bundleLimits.ratio} times its size, as only a zip bomb does.`,
      );
  }
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > bundleLimits.unpacked)
    throw new BundleError(
      `The bundle unpacks to ${Math.ceil(total / 2 ** 20)} MB; ` +
        `at most ${bundleLimits.unpacked / 2 ** 20} MB are taken.`,
    );
}

function dataOf(
  bytes: Uint8Array,
  view: DataView,
  entry: Entry,
  limit: number,
): { from: number; to: number } {
  const { offset, name, method, packed } = entry;
  if (offset + 30 > limit || view.getUint32(offset, true) !== 0x04034b50) throw broken();
  const nameLength = view.getUint16(offset + 26, true);
  const from = offset + 30 + nameLength + view.getUint16(offset + 28, true);
  const local = bytes.subarray(offset + 30, offset + 30 + nameLength);
  const same =
    view.getUint16(offset + 8, true) === method &&
    local.length === name.length &&
    local.every((byte, index) => byte === name[index]);
  if (!same) throw new BundleError(`The zip says two different things about ${entry.path}.`);
  if (from + packed > limit) throw broken();
  return { from, to: from + packed };
}

function inflated(data: Uint8Array, { path, size }: Entry): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0;
  const lies = () => new BundleError(`${path} does not unpack to the size that the zip says.`);
  const stream = new Inflate((part) => {
    if (at + part.length > size) throw lies();
    out.set(part, at);
    at += part.length;
  });
  try {
    for (let from = 0; from < data.length; from += inflateSlice)
      stream.push(data.subarray(from, from + inflateSlice), from + inflateSlice >= data.length);
  } catch (error) {
    throw error instanceof BundleError
      ? error
      : new BundleError(`${path} cannot be unpacked: its data is damaged.`);
  }
  if (at !== size) throw lies();
  return out;
}

/**
 * Unpacks a bundle's zip, which may be hostile. Allocates only what the file declares within the
 * limits, and checks the declarations. Throws BundleError.
 */
export function unpackZip(bytes: Uint8Array): Map<BundledPath, Uint8Array> {
  if (bytes.length > bundleLimits.packed)
    throw new BundleError(
      `The file has ${Math.ceil(bytes.length / 2 ** 20)} MB; at most ${bundleLimits.packed / 2 ** 20} MB are taken.`,
    );
  if (bytes.length < endLength)
    throw new BundleError("This is not a zip file, so it is not a bundle.");
  const view = viewOf(bytes);
  const { entries, start } = directoryOf(bytes, view);
  refuseExcess(entries);
  const files = new Map<BundledPath, Uint8Array>();
  let reached = 0;
  for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (entry.offset < reached)
      throw new BundleError(`${entry.path} shares its place in the zip with another file.`);
    const { from, to } = dataOf(bytes, view, entry, start);
    reached = to;
    const data = bytes.subarray(from, to);
    if (entry.method === 0 && entry.packed !== entry.size)
      throw new BundleError(`${entry.path} does not unpack to the size that the zip says.`);
    const content = entry.method === 0 ? data : inflated(data, entry);
    // A path that is a SHA-256 makes the weaker and slower CRC unnecessary.
    if (!isAttachmentPath(entry.path) && crc32(content) !== entry.crc)
      throw new BundleError(`${entry.path} was changed after it was packed.`);
    files.set(entry.path, content);
  }
  return files;
}

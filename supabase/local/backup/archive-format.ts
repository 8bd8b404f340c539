/** Thrown with a sentence for whoever makes or restores a backup. */
export class BackupFault extends Error {
  override name = "BackupFault";
}

export const block = 512;
/** What is stored is cut into parts of so many bytes, each packed by itself. */
export const partBytes = 4 * 2 ** 20;
/** No part is longer in the file: gzip adds less than this to what it cannot pack. */
export const mostPacked = partBytes + 64 * 2 ** 10;
/** The lists that are not packed; one of a million parts has about 150 MB. */
export const mostListed = 256 * 2 ** 20;

/** Before everything else: of what release and schema this is. */
export const aboutName = "backup.json";
/** After everything else: what there must be. */
export const manifestName = "manifest.json";
export const manifestHashName = "manifest.sha256";

const longestName = 100;

/**
 * The header of one file in a tar archive (POSIX ustar), so that any tar can take a backup apart.
 * Nothing in it is left open: a reader that knows name and size knows every byte.
 */
export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > longestName || !/^[\x21-\x7e]+$/.test(name))
    throw new RangeError(`${name} cannot be the name of a part of a backup`);
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0, "latin1");
  header.write(octal(0o600, 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  header.write(octal(size, 11), 124, "latin1");
  header.write(octal(0, 11), 136, "latin1");
  header.write(" ".repeat(8), 148, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** Reads name and size of a header; null where any byte of it is not as `tarHeader` makes it. */
export function readTarHeader(header: Buffer): { name: string; size: number } | null {
  const name = header.toString("latin1", 0, header.indexOf(0));
  const size = Number.parseInt(header.toString("latin1", 124, 135), 8);
  if (!Number.isSafeInteger(size) || name === "") return null;
  try {
    return tarHeader(name, size).equals(header) ? { name, size } : null;
  } catch {
    // A name that no part of a backup has.
    return null;
  }
}

/** How many bytes follow a file of this size up to the next header. */
export const padding = (size: number) => (block - (size % block)) % block;

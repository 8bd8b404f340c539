/** Thrown with a message for the person who makes or restores a backup. */
export class BackupFault extends Error {
  override name = "BackupFault";
}

export const block = 512;
/** Content is split into parts of this many bytes, each compressed separately. */
export const partBytes = 4 * 2 ** 20;
/** The largest compressed part, in bytes: gzip adds less than this to incompressible data. */
export const mostPacked = partBytes + 64 * 2 ** 10;
/** The largest uncompressed list, in bytes. The manifest of a million parts has about 150 MB. */
export const mostListed = 256 * 2 ** 20;

/** The first file, with the release and the schema. */
export const aboutName = "backup.json";
/** The last files, which list everything that the backup must contain. */
export const manifestName = "manifest.json";
export const manifestHashName = "manifest.sha256";

const longestName = 100;

/**
 * Returns the tar header (POSIX ustar) of one file, so that any tar can extract a backup. Name and
 * size determine the header completely.
 */
export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > longestName || !/^[\x21-\x7e]+$/.test(name))
    throw new RangeError(`Invalid backup entry name: ${name}`);
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

/** Reads name and size of a header. Returns null unless `tarHeader` made the header. */
export function readTarHeader(header: Buffer): { name: string; size: number } | null {
  const name = header.toString("latin1", 0, header.indexOf(0));
  const size = Number.parseInt(header.toString("latin1", 124, 135), 8);
  if (!Number.isSafeInteger(size) || name === "") return null;
  try {
    return tarHeader(name, size).equals(header) ? { name, size } : null;
  } catch {
    // The name is not valid in a backup.
    return null;
  }
}

/** Returns the padding after a file of this size, in bytes. */
export const padding = (size: number) => (block - (size % block)) % block;

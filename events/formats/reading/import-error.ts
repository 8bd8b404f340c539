/** Thrown for a file that cannot be imported, with a sentence for the person who chose it. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** Limits of an import. A larger text would become a document that no browser could open. */
export const importLimits = {
  packed: 100 * 1024 * 1024,
  unpacked: 400 * 1024 * 1024,
  ratio: 200,
  /** The bytes to which a file may unpack at any compression ratio. */
  harmless: 4_000_000,
  entries: 10_000,
  text: 10 * 1024 * 1024,
  documents: 2_000,
  levels: 30,
  comments: 1_500,
} as const;

/** Formats a number of bytes in whole megabytes. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.ceil(bytes / 2 ** 20))} MB`;
}

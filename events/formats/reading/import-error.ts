/** Thrown for a file that cannot be taken in, with a sentence for whoever chose it. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** What is taken in at once. A text of more is a document that nobody could open. */
export const importLimits = {
  packed: 100 * 1024 * 1024,
  unpacked: 400 * 1024 * 1024,
  ratio: 200,
  /** Bytes that a file may unpack to, however small it is. */
  harmless: 4_000_000,
  entries: 10_000,
  text: 10 * 1024 * 1024,
  documents: 2_000,
  levels: 30,
  comments: 1_500,
} as const;

/** A number of bytes in whole megabytes. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.ceil(bytes / 2 ** 20))} MB`;
}

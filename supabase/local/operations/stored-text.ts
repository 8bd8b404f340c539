import { readFile } from "node:fs/promises";

/** Returns the code of a file system error, such as ENOENT, or null for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

/** Whether an error means that a file does not exist, rather than being unreadable. */
export const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");

/** Reads the text of a file, or returns null if there is none. Throws if reading fails. */
export async function storedText(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return null;
    // Unlike an open error, a read error has no path.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  });
}

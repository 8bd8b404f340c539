import { readFile } from "node:fs/promises";

/** The code of a file system error, such as ENOENT; null for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

/** Whether an error means that a file does not exist, as opposed to being unreadable. */
export const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");

/** The text of a file; null if it does not exist. Throws if it cannot be read. */
export async function storedText(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return null;
    // Unlike an open error, a read error has no path.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  });
}

import { readFile } from "node:fs/promises";

/** The code of an error of the file system, such as ENOENT; null for any other error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

/** Whether an error says that there is no such file: a file that cannot be read is another matter. */
export const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");

/** The text of a file; null where there is none. Throws where it is there and cannot be read. */
export async function storedText(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return null;
    // An error of reading, unlike one of opening, does not say of what.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  });
}

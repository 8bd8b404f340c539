import type { Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";

/**
 * Returns the paths, from a bundle's root, of the files that its events attached, by their ids in
 * texts.
 */
export function bundledFiles(
  rows: readonly Pick<Ruled, "type" | "body" | "subject">[],
): ReadonlyMap<string, string> {
  return new Map(standingFiles(rows).map(({ file, body }) => [file, `files/${body.sha256}`]));
}

/** The policy that lets a page show images beside it, as a file or from a server. */
export const imagePolicy = "img-src 'self' file:";

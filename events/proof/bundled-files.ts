import type { Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";

/**
 * The paths, from a bundle's root, of the files that its events brought, by the ids that texts use.
 */
export function bundledFiles(
  rows: readonly Pick<Ruled, "type" | "body" | "subject">[],
): ReadonlyMap<string, string> {
  return new Map(standingFiles(rows).map(({ file, body }) => [file, `files/${body.sha256}`]));
}

/** Lets a page show images beside it, opened as a file or from a server. */
export const imagePolicy = "img-src 'self' file:";

import type { Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";

/** Where a bundle holds the files that its events brought, from its root, by the id that texts name them by. */
export function bundledFiles(
  rows: readonly Pick<Ruled, "type" | "body" | "subject">[],
): ReadonlyMap<string, string> {
  return new Map(standingFiles(rows).map(({ file, body }) => [file, `files/${body.sha256}`]));
}

/** What lets a page show images that lie beside it, opened as a file or from a server. */
export const imagePolicy = "img-src 'self' file:";

import type { Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";
import type { Bundle } from "./bundle";
import { BundleError } from "./bundle-format";
import type { BundleAttachment } from "./bundle-format";

/** Returns a document's images and files from its events, each once, however often it is shown. */
export function attachmentsOf(rows: readonly Ruled[]): BundleAttachment[] {
  const attachments = new Map<string, BundleAttachment>();
  for (const { body } of standingFiles(rows)) {
    const { sha256, bytes, name, type } = body;
    if (!attachments.has(sha256)) attachments.set(sha256, { sha256, bytes, name, type });
  }
  return [...attachments.values()];
}

/**
 * Checks that a bundle's images and files are those of its events. Returns the names of missing
 * ones.
 */
export function checkAttachments({ rows, attachments }: Bundle): string[] {
  const attached = attachmentsOf(rows);
  const held = new Set(attachments.map(({ sha256 }) => sha256));
  const expected = attached.filter(({ sha256 }) => held.has(sha256));
  if (JSON.stringify(expected) !== JSON.stringify(attachments))
    throw new BundleError("attachments.json does not list the files that the events brought.");
  return attached.filter(({ sha256 }) => !held.has(sha256)).map(({ name }) => name);
}

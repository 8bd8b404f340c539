import type { Proposal, Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";

/**
 * Returns a document's files as proposals for its copy, under the same file ids, to which the
 * copied text refers. The files therefore survive the permanent deletion of the source. Redacted
 * files are left out.
 */
export function attachedFiles(
  rows: readonly Pick<Ruled, "type" | "body" | "subject">[],
  newId: () => string,
): Proposal[] {
  return standingFiles(rows).map(({ file, body }) => ({
    id: newId(),
    type: "file.attached",
    body,
    subject: { kind: "file", id: file },
  }));
}

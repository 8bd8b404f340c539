import type { Proposal, Ruled } from "@/events/core/envelope";
import { standingFiles } from "@/events/core/standing-files";

/**
 * The files of a document as events of one that begins as its copy: under the same ids, which the
 * copied text names, so that they stay when the first document is deleted for good. What was
 * redacted is none.
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

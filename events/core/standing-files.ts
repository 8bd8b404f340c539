import type { Ruled } from "./envelope";
import type { BodyOf } from "./event-types";
import { bodyOf } from "./recorded-body";

/** An attached file that no redaction removed, with the id that texts refer to. */
export type StandingFile = { file: string; body: BodyOf<"file.attached"> };

/** Returns the files that a document's events attached, in order, without the redacted ones. */
export function standingFiles(
  rows: readonly Pick<Ruled, "type" | "body" | "subject">[],
): StandingFile[] {
  return rows.flatMap((row): StandingFile[] => {
    const { name, sha256, bytes, type, width, height } = bodyOf(row, "file.attached") ?? {};
    if (!name || !sha256 || !bytes || !type) return [];
    const body = { sha256, bytes, name, type, width: width ?? null, height: height ?? null };
    return [{ file: row.subject.id, body }];
  });
}

import { bodyOf } from "@/events/core/recorded-body";
import { bodyFields, parsedJson } from "@/events/core/envelope";
import type { Json, Ruled, Subject } from "@/events/core/envelope";

/** The fields of a row that say who did what; the rest is bytes and hashes. */
type ImportedHistoryRow = Pick<Ruled, "type" | "actorId" | "subject" | "toPhase" | "body">;

/**
 * An event that happened elsewhere, as an import recorded it: `author` is an index into the names
 * that came with it.
 */
type ImportedStep = {
  type: string;
  author: number;
  subject: Subject | null;
  phase: string;
  body: Json;
};

const authorKeyPrefix = "imported:";

/**
 * The author key that stands for a person known only by a name in an imported file; `author` is its
 * index in the file's list.
 */
export function importedAuthorKey(author: number): string {
  return `${authorKeyPrefix}${author}`;
}

/** Whether an author is a name in a file and has no account. */
export function isImportedAuthorKey(userId: string): boolean {
  return userId.startsWith(authorKeyPrefix);
}

function parsed(text: string): ReturnType<typeof bodyFields> {
  if (text === "") return {};
  try {
    return bodyFields(parsedJson(text));
  } catch (error) {
    // A client may have written anything there; invalid JSON counts as empty.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function stepIn(row: ImportedHistoryRow): ImportedStep | null {
  const body = bodyOf(row, "document.step_imported");
  if (!body) return null;
  const { type, author, subject = null, phase, kept, text } = body;
  if (
    kept === undefined ||
    text === undefined ||
    type === undefined ||
    author === undefined ||
    phase === undefined
  )
    return null;
  return {
    type,
    author,
    phase,
    subject,
    // Redacting the import empties `text` and leaves `kept`, which a redaction of the original
    // event would have left.
    body: { ...parsed(kept), ...parsed(text) },
  };
}

/**
 * The imported event of a row as if it had happened here: its own type, subject and body, by an
 * author who is a name in a file. Any other row is returned unchanged. Version, times, client ids
 * and bytes stay the row's.
 */
export function mapImported<Row extends ImportedHistoryRow>(row: Row): Row {
  const step = stepIn(row);
  if (!step) return row;
  const { type, author, phase, subject, body } = step;
  return {
    ...row,
    type,
    actorId: importedAuthorKey(author),
    subject: subject ?? row.subject,
    toPhase: phase,
    body,
  };
}

import { bodyOf } from "@/events/core/recorded-body";
import { bodyFields, parsedJson } from "@/events/core/envelope";
import type { Json, Ruled, Subject } from "@/events/core/envelope";

/** The fields of a row that identify its author and action. The rest is bytes and hashes. */
type ImportedHistoryRow = Pick<Ruled, "type" | "actorId" | "subject" | "toPhase" | "body">;

/**
 * An event of another history, as an import recorded it. `author` is an index into the names of the
 * imported file.
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
 * Returns the author key of a person known only by a name in an imported file. `author` is the
 * index in the file's list.
 */
export function importedAuthorKey(author: number): string {
  return `${authorKeyPrefix}${author}`;
}

/** Whether an author is only a name in a file, without an account. */
export function isImportedAuthorKey(userId: string): boolean {
  return userId.startsWith(authorKeyPrefix);
}

function parsed(text: string): ReturnType<typeof bodyFields> {
  if (text === "") return {};
  try {
    return bodyFields(parsedJson(text));
  } catch (error) {
    // A client may have written any text there, so invalid JSON counts as empty.
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
    // Redacting the import empties `text` and leaves `kept`, which holds the keys that a redaction
    // of the original event leaves.
    body: { ...parsed(kept), ...parsed(text) },
  };
}

/**
 * Returns the imported event of a row as if it had happened here: with its own type, subject and
 * body, by an author who is a name in a file. Any other row is returned unchanged. Version, times,
 * client ids and bytes stay the row's.
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

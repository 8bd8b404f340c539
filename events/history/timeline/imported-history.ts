import { bodyOf } from "@/events/core/recorded-body";
import {
  bodyFields,
  type Json,
  parsedJson,
  type Ruled,
  type Subject,
} from "@/events/core/envelope";

/** What of a row tells who did what; the rest is bytes and hashes. */
type ImportedHistoryRow = Pick<Ruled, "type" | "actorId" | "subject" | "toPhase" | "body">;

/** What an event tells of one that happened elsewhere: `author` is a place in the list of names that came with it. */
type ImportedStep = {
  type: string;
  author: number;
  subject: Subject | null;
  phase: string;
  body: Json;
};

const authorKeyPrefix = "imported:";

/**
 * What stands for the account of somebody who is known by a name in a file alone; `author` is their
 * place in its list.
 */
export function importedAuthorKey(author: number): string {
  return `${authorKeyPrefix}${author}`;
}

/** Whether an author is a name in a file, and nobody's account. */
export function isImportedAuthorKey(userId: string): boolean {
  return userId.startsWith(authorKeyPrefix);
}

function parsed(text: string): ReturnType<typeof bodyFields> {
  if (text === "") return {};
  try {
    return bodyFields(parsedJson(text));
  } catch (error) {
    // Whatever somebody's client has written there, it tells nothing.
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
    // A redaction of the telling empties `text`, and leaves what a redaction of the event itself would have left.
    body: { ...parsed(kept), ...parsed(text) },
  };
}

/**
 * The event that a row tells of, as if it had happened here: its own type, subject and body, by a
 * hand that is a name in a file. Any other row as it is. Version, times, client ids and bytes are
 * the row's.
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

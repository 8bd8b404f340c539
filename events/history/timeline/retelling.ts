import { type Json, type Ruled, type Subject } from "@/events/core/envelope";

/** What of a row tells who did what; the rest is bytes and hashes. */
type RetellableRow = Pick<Ruled, "type" | "actorId" | "subject" | "toPhase" | "body">;

/** What an event tells of one that happened elsewhere: `author` is a place in the list of names that came with it. */
type Told = { type: string; author: number; subject: Subject | null; phase: string; body: Json };

const handPrefix = "imported:";

/** What stands for the account of somebody who is known by a name in a file alone; `author` is their place in its list. */
export function importedHand(author: number): string {
  return `${handPrefix}${author}`;
}

/** Whether a hand is a name in a file, and nobody's account. */
export function isImportedHand(userId: string): boolean {
  return userId.startsWith(handPrefix);
}

function fieldsOf(value: Json | undefined): { [key: string]: Json } | null {
  return value === null || typeof value !== "object" || Array.isArray(value) ? null : value;
}

function parsed(text: string): { [key: string]: Json } {
  if (text === "") return {};
  try {
    // JSON.parse is the parse boundary: what it returns is Json by the definition of JSON.
    return fieldsOf(JSON.parse(text) as Json) ?? {};
  } catch (error) {
    // Whatever somebody's client has written there, it tells nothing.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function toldIn(body: Json): Told | null {
  const { type, author, subject, phase, kept, text } = fieldsOf(body) ?? {};
  if (
    typeof kept !== "string" ||
    typeof text !== "string" ||
    typeof type !== "string" ||
    typeof author !== "number" ||
    typeof phase !== "string"
  )
    return null;
  const about = fieldsOf(subject);
  const isSubject = typeof about?.kind === "string" && typeof about.id === "string";
  return {
    type,
    author,
    phase,
    subject: isSubject ? { kind: String(about.kind), id: String(about.id) } : null,
    // A redaction of the telling empties `text`, and leaves what a redaction of the event itself would have left.
    body: { ...parsed(kept), ...parsed(text) },
  };
}

/**
 * The event that a row tells of, as if it had happened here: its own type, subject and body, by a hand that is a name in a
 * file. Any other row as it is. Version, times, client ids and bytes are the row's.
 */
export function retold<Row extends RetellableRow>(row: Row): Row {
  const told = toldIn(row.body);
  if (!told) return row;
  const { type, author, phase, subject, body } = told;
  return {
    ...row,
    type,
    actorId: importedHand(author),
    subject: subject ?? row.subject,
    toPhase: phase,
    body,
  };
}

import { parseRow } from "@/events/core/envelope";
import type { Ruled } from "@/events/core/envelope";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import type { RowSource, TableRow } from "@/supabase/local/backup/table-rows";

/** Yields every event of a log with its payload. Both tables order streams alike. */
export async function* logRows(rows: RowSource): AsyncGenerator<Ruled> {
  const payloads = rows("public", "event_payloads")[Symbol.asyncIterator]();
  for await (const event of rows("public", "events")) {
    const payload = await payloads.next();
    if (payload.done || payload.value.event_id !== event.id)
      throw new BackupFault(`The log is incomplete: event ${event.id} has no payload.`);
    yield ruled(event, payload.value);
  }
  if (!(await payloads.next()).done)
    throw new BackupFault("The log is incomplete: a payload has no event.");
}

/** Converts the two rows to the format of `read_events`, so that one parser suffices. */
function ruled(event: TableRow, { salt, body, update }: TableRow): Ruled {
  try {
    return parseRow({
      ...event,
      version: whole(event.version),
      position: whole(event.position),
      schema: whole(event.schema),
      client_ids: event.client_ids?.slice(1, -1).split(",").map(Number) ?? null,
      client_time: isoTime(event.client_time),
      recorded_at: isoTime(event.recorded_at),
      payload_hash: hexDigits(event.payload_hash),
      hash: hexDigits(event.hash),
      salt: hexDigits(salt),
      body,
      update: base64(update),
    });
  } catch (cause) {
    throw new BackupFault(`The log is damaged: event ${event.id} cannot be read.`, { cause });
  }
}

type Column = string | null | undefined;

const whole = (column: Column) => (column === null ? null : Number(column));

/** Converts `2026-11-23 10:00:00.5+00` to ISO 8601. */
const isoTime = (column: Column) => column?.replace(" ", "T").replace(/\+00$/, "Z");

/** Returns the digits of `\x…`, PostgreSQL's format for bytes. */
export const hexDigits = (column: Column) => column?.replace(/^\\x/, "") ?? null;

const base64 = (column: Column) =>
  typeof column === "string" ? Buffer.from(column.slice(2), "hex").toString("base64") : null;

import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";

/** Returns the id of the event that a row redacts, or null for any other row. */
export function redactionOf(row: RecordedRow): string | null {
  return bodyOf(row, "document.redacted")?.event ?? null;
}

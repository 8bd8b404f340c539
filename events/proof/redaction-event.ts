import { bodyOf, type RecordedRow } from "@/events/core/recorded-body";

/** The id of the event whose content a row of the log says was redacted; null for every other row. */
export function redactionOf(row: RecordedRow): string | null {
  return bodyOf(row, "document.redacted")?.event ?? null;
}

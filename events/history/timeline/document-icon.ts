import { bodyOf, type RecordedRow } from "@/events/core/recorded-body";

/** What a row makes of a document's icon; null where it leaves it as it is. */
export function iconChange(row: RecordedRow): { icon: string | null } | null {
  // An imported history begins once more, without one.
  if (row.type === "document.created") return { icon: null };
  const body = bodyOf(row, "document.icon_set");
  return body && { icon: body.emoji ?? null };
}

import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";

/** Returns the icon change in a row, or null if the row does not set the icon. */
export function iconChange(row: RecordedRow): { icon: string | null } | null {
  // An imported history starts again without an icon.
  if (row.type === "document.created") return { icon: null };
  const body = bodyOf(row, "document.icon_set");
  return body && { icon: body.emoji ?? null };
}

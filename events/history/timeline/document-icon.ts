import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";

/** The icon change in a row; null if it leaves the icon as it is. */
export function iconChange(row: RecordedRow): { icon: string | null } | null {
  // An imported history begins again without an icon.
  if (row.type === "document.created") return { icon: null };
  const body = bodyOf(row, "document.icon_set");
  return body && { icon: body.emoji ?? null };
}

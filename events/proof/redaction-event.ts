import type { Ruled } from "@/events/core/envelope";

/** The id of the event whose content a row of the log says was redacted; null for every other row. */
export function redactionOf({ type, body }: Pick<Ruled, "type" | "body">): string | null {
  if (
    type !== "document.redacted" ||
    body === null ||
    typeof body !== "object" ||
    Array.isArray(body)
  )
    return null;
  return typeof body.event === "string" ? body.event : null;
}

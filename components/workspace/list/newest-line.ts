import { sessionPause } from "@/events/history/timeline/timing-map";
import type { ChangeLine } from "@/events/read-models/change-lines";

/**
 * Returns the line of the last change, or null if it is not derived yet. While the same person
 * continues in the same session, the earlier line still applies.
 */
export function newestLine(
  [newest]: readonly ChangeLine[],
  version: number,
  updatedBy: string,
  change: { type: string; at: string } | undefined,
): ChangeLine | null {
  if (!newest) return null;
  if (newest.to >= version) return newest;
  const goesOn =
    change?.type === "document.edited" &&
    newest.actorId === updatedBy &&
    Date.parse(change.at) - Date.parse(newest.at) < sessionPause;
  return goesOn ? newest : null;
}

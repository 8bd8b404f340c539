import { sessionPause } from "@/events/history/timeline/timing-map";
import type { ChangeLine } from "@/events/read-models/change-lines";

/**
 * The line that says what happened last; null where nobody has derived it yet. Of somebody who goes on writing in the
 * same session the line of a moment ago still says what they do.
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

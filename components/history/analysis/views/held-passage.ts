import { passageIn } from "@/events/analysis/passage";
import type { PassageRange } from "@/events/analysis/passage";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A passage with the timeline to which its places refer. */
type HeldPassage = { timeline: Timeline; range: PassageRange };

/**
 * Returns the selected passage. Without a selection, returns the passage held before, found in a
 * newer timeline by its characters.
 */
export function heldPassage(
  before: HeldPassage | null,
  timeline: Timeline,
  selected: PassageRange | null,
): HeldPassage | null {
  if (selected) return { timeline, range: selected };
  if (!before || before.timeline === timeline) return before;
  const range = passageIn(timeline, before.timeline, before.range);
  return range && { timeline, range };
}

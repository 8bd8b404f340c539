import { passageIn } from "@/events/analysis/passage";
import type { PassageRange } from "@/events/analysis/passage";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A passage, with the timeline that its places refer to. */
type HeldPassage = { timeline: Timeline; range: PassageRange };

/**
 * The passage to show: the selected one, else the one held before, found by its characters in a
 * newer timeline.
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

import { passageIn, type PassageRange } from "@/events/analysis/passage";
import { type Timeline } from "@/events/history/timeline/timeline";

/** A passage, in the timeline that its places are counted in. */
type HeldPassage = { timeline: Timeline; range: PassageRange };

/**
 * The passage to tell of: what is selected, else the one held before, by its own characters where
 * the history was read anew since.
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

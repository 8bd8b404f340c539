import type { Timeline } from "@/events/history/timeline/timeline";
import { movesOf } from "./moves";

/**
 * Returns the first revision at which each author wrote, in the order of the timeline's authors.
 * Infinity for a person who only restored, merged or imported.
 */
export function firstWritings(timeline: Timeline): number[] {
  const { isMove } = movesOf(timeline);
  const firsts = timeline.authors.map(() => Number.POSITIVE_INFINITY);
  for (let index = timeline.length - 1; index >= 0; index -= 1)
    if (!isMove(index)) firsts[timeline.authorOf(index)] = index;
  return firsts;
}

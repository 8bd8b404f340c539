import { type Timeline } from "@/events/history/timeline/timeline";
import { dateWords, timeWords } from "@/components/history/words/revision-words";

/** A moment as a dialog was opened on it: what it acts on, wherever the player has gone since. */
export type HeldMoment = { version: number; author: string; when: string };

/** Holds a moment of a timeline: the version of its event, who made it, by name, and when, in words. */
export function heldMoment(
  timeline: Timeline,
  index: number,
  nameOf: (userId: string) => string,
): HeldMoment {
  const { version, actorId, time } = timeline.moment(index);
  return {
    version,
    author: nameOf(actorId),
    when: `${dateWords(time, timeline.timeOf(timeline.length - 1))}, ${timeWords(time)}`,
  };
}

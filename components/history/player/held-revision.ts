import { type Timeline } from "@/events/history/timeline/timeline";
import { dateWords, timeWords } from "@/components/history/words/revision-words";

/** A revision as a dialog was opened on it: what it acts on, wherever the player has gone since. */
export type HeldRevision = { version: number; author: string; when: string };

/** Holds a revision of a timeline: the version of its event, who made it, by name, and when, in words. */
export function heldRevision(
  timeline: Timeline,
  index: number,
  nameOf: (userId: string) => string,
): HeldRevision {
  const { version, actorId, time } = timeline.revision(index);
  return {
    version,
    author: nameOf(actorId),
    when: `${dateWords(time, timeline.timeOf(timeline.length - 1))}, ${timeWords(time)}`,
  };
}

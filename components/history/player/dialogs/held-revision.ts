import { numberWords } from "@/events/core/text/number-words";
import type { Timeline } from "@/events/history/timeline/timeline";
import { dateWords, timeWords } from "@/components/history/words/revision-words";

/**
 * The revision on which a dialog was opened. The dialog acts on this revision even if the player
 * moves meanwhile.
 */
export type HeldRevision = {
  index: number;
  version: number;
  author: string;
  when: string;
  edit: string;
};

/**
 * Captures a revision of a timeline: its version, its author's name, and its time and number in
 * words.
 */
export function heldRevision(
  timeline: Timeline,
  index: number,
  nameOf: (userId: string) => string,
): HeldRevision {
  const { version, actorId, time } = timeline.revision(index);
  return {
    index,
    version,
    author: nameOf(actorId),
    when: `${dateWords(time, timeline.timeOf(timeline.length - 1))}, ${timeWords(time)}`,
    edit: `edit ${numberWords(index + 1)}`,
  };
}

/**
 * Returns the first revision, from this one on, that can be named. A name belongs to a version of
 * the stream, which may contain many edits, and refers to the last of these edits.
 */
export function nameableFrom(timeline: Pick<Timeline, "revision" | "ofVersion">, index: number) {
  return timeline.ofVersion(timeline.revision(index).version);
}

import { bodyOf } from "@/events/core/recorded-body";
import { type Timeline } from "@/events/history/timeline/timeline";
import { axisWords, timeWords } from "./revision-words";

type MomentChoice = { value: string; label: string; detail?: string };

const mostSessions = 40;

/** The name of a version as its events tell it, by the moment it stands for. */
export function namedMoments({ marks, ofVersion }: Timeline): Map<number, string> {
  const at = new Map<string, number>();
  const names = new Map<number, string>();
  for (const mark of marks) {
    const { subject } = mark;
    const named = bodyOf(mark, "version.named");
    if (named?.at !== undefined) at.set(subject.id, ofVersion(named.at));
    const moment = at.get(subject.id);
    const name = (named ?? bodyOf(mark, "version.renamed"))?.name;
    if (moment !== undefined && name !== undefined) names.set(moment, name);
  }
  return names;
}

/** A moment as briefly as it can be told from others: "14 Nov, 15:42:07". */
export function momentStamp(timeline: Timeline, moment: number): string {
  const time = timeline.timeOf(moment);
  return `${axisWords(time).day}, ${timeWords(time)}`;
}

/** The moments worth comparing with: now, the named versions, the ends of sessions, the beginning; and what is chosen. */
export function momentChoices(timeline: Timeline, chosen: readonly number[]): MomentChoice[] {
  const last = timeline.length - 1;
  const names = namedMoments(timeline);
  const ends = timeline.timingMap.sessions.slice(-mostSessions).map(({ to }) => to);
  const moments = [...new Set([last, ...names.keys(), ...ends, ...chosen, 0])].sort(
    (one, other) => other - one,
  );
  return moments.map((moment) => {
    const stamp = momentStamp(timeline, moment);
    const name = moment === last ? "Now" : moment === 0 ? "The beginning" : names.get(moment);
    return { value: `${moment}`, label: name ?? stamp, ...(name ? { detail: stamp } : {}) };
  });
}

import { bodyOf } from "@/events/core/recorded-body";
import type { Timeline } from "@/events/history/timeline/timeline";
import { axisWords, timeWords } from "./revision-words";

type RevisionChoice = { value: string; label: string; detail?: string };

const mostSessions = 40;

/** Returns the names of versions by their revisions, from the events. */
export function namedRevisions({ marks, ofVersion }: Timeline): Map<number, string> {
  const at = new Map<string, number>();
  const names = new Map<number, string>();
  for (const mark of marks) {
    const { subject } = mark;
    const named = bodyOf(mark, "version.named");
    if (named?.at !== undefined) at.set(subject.id, ofVersion(named.at));
    const revision = at.get(subject.id);
    const name = (named ?? bodyOf(mark, "version.renamed"))?.name;
    if (revision !== undefined && name !== undefined) names.set(revision, name);
  }
  return names;
}

/** Returns a short label of a revision that is still unique: "14 Nov, 15:42:07". */
export function revisionStamp(timeline: Timeline, revision: number): string {
  const time = timeline.timeOf(revision);
  return `${axisWords(time).day}, ${timeWords(time)}`;
}

/**
 * Returns the revisions that are offered for comparison: now, the named versions, the ends of
 * sessions, the beginning, and the chosen revisions.
 */
export function revisionChoices(timeline: Timeline, chosen: readonly number[]): RevisionChoice[] {
  const last = timeline.length - 1;
  const names = namedRevisions(timeline);
  const ends = timeline.timingMap.sessions.slice(-mostSessions).map(({ to }) => to);
  const revisions = [...new Set([last, ...names.keys(), ...ends, ...chosen, 0])].sort(
    (one, other) => other - one,
  );
  return revisions.map((revision) => {
    const stamp = revisionStamp(timeline, revision);
    const name = revision === last ? "Now" : revision === 0 ? "The beginning" : names.get(revision);
    return { value: `${revision}`, label: name ?? stamp, ...(name ? { detail: stamp } : {}) };
  });
}

import { bodyOf } from "@/events/core/recorded-body";
import { movesOf } from "@/events/analysis/lineage/moves";
import type { Timeline } from "@/events/history/timeline/timeline";
import { axisWords, dateWords, revisionKindWords } from "./revision-words";

/**
 * Returns the predicate of a revision that moved words without writing any: "restored the version
 * of 08:40".
 */
export function moveWords(
  timeline: Timeline,
  revision: number,
  nameOf: (userId: string) => string,
): string {
  const { type, time } = timeline.revision(revision);
  const mark = timeline.marks.find((each) => each.revision === revision);
  const version = mark && bodyOf(mark, "document.reverted")?.toVersion;
  if (version !== undefined) {
    const then = timeline.timeOf(timeline.ofVersion(version));
    const isSameDay = dateWords(then, time) === dateWords(time, time);
    const clock = axisWords(then).time;
    const when = isSameDay ? clock : `${dateWords(then, time)}, ${clock}`;
    return `restored the version of ${when}`;
  }
  const takenBack = movesOf(timeline).returnAt(revision)?.takesBack;
  if (!takenBack) return revisionKindWords({ type }) ?? "changed the text";
  const { returnAt } = movesOf(timeline);
  const isUndo =
    takenBack.from === takenBack.to && returnAt(timeline.ofVersion(takenBack.to)) !== null;
  return isUndo ? "undid a restore" : `reverted changes by ${nameOf(takenBack.author)}`;
}

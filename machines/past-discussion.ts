import { bodyOf } from "@/events/core/recorded-body";
import { whereIs, type Where } from "@/events/analysis/anchors/anchor";
import { pastText } from "@/events/analysis/anchors/past-anchor";
import { scriptOf } from "@/events/history/timeline/script";
import { emptyFold, foldEvent, type StreamFold } from "@/events/log/stream-fold";
import { type Mark, type Timeline } from "@/events/history/timeline/timeline";
import { comment } from "./comment";
import { discussionsOf, type Discussion } from "./discussion";
import { thread } from "./thread";

/** A discussion as it was at a moment, and where its words were then: spots are those of `pastText(scriptOf(timeline), moment)`. */
export type PastDiscussion = Discussion & { where: Where };

const aggregates = [thread, comment];
const kinds: ReadonlySet<string> = new Set(aggregates.map(({ kind }) => kind));

type Told = { moment: number; fold: StreamFold; discussions: Discussion[] };
const tales = new WeakMap<Timeline, Told[]>();

/** What was said by when: one entry for every event about a thread or a comment. */
function taleOf(timeline: Timeline): Told[] {
  const known = tales.get(timeline);
  if (known) return known;
  const tale: Told[] = [];
  const talk = timeline.marks.filter(({ subject }) => kinds.has(subject.kind));
  for (const mark of talk) {
    const fold = foldEvent(aggregates, tale.at(-1)?.fold ?? emptyFold, evolving(mark, timeline));
    tale.push({ moment: mark.moment, fold, discussions: discussionsOf(fold) });
  }
  tales.set(timeline, tale);
  return tale;
}

function evolving(
  { id, version, subject, actorId, type, toPhase, body, moment }: Mark,
  { timeOf }: Timeline,
) {
  return {
    id,
    version,
    subject,
    actorId,
    type,
    toPhase,
    body,
    streamId: "",
    recordedAt: new Date(timeOf(moment)).toISOString(),
  };
}

/** The moment of each thread's first comment, by the thread's id: one sees the thread from there on. */
export function firstComments(marks: readonly Mark[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const mark of marks) {
    const about = bodyOf(mark, "comment.added")?.thread;
    if (about !== undefined && !first.has(about)) first.set(about, mark.moment);
  }
  return first;
}

/** The discussions of a document as they were at a moment of its history, each with the place of its words in the text of that moment. */
export function threadsAt(timeline: Timeline, moment: number): PastDiscussion[] {
  const told = taleOf(timeline).findLast((each) => each.moment <= moment);
  if (!told) return [];
  const text = pastText(scriptOf(timeline), moment);
  return told.discussions.map((each) => ({ ...each, where: whereIs(each.anchor, text) }));
}

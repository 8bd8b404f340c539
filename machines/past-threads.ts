import { bodyOf } from "@/events/core/recorded-body";
import { whereIs } from "@/events/analysis/anchors/anchor";
import type { Where } from "@/events/analysis/anchors/anchor";
import { pastText } from "@/events/analysis/anchors/past-anchor";
import { rewritingOf } from "@/events/analysis/rewriting";
import { emptyFold, foldEvent } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import { comment } from "./comment";
import { commentThreadsOf } from "./comment-thread";
import type { CommentThread } from "./comment-thread";
import { thread } from "./thread";

/**
 * A thread as it was at a revision, with the place of its passage at that time. Positions refer to
 * `pastText(timeline, rewritingOf(timeline), revision)`.
 */
export type PastThread = CommentThread & { where: Where };

const aggregates = [thread, comment];
const kinds: ReadonlySet<string> = new Set(aggregates.map(({ kind }) => kind));

type FoldedRevision = { revision: number; fold: StreamFold; threads: CommentThread[] };
const cache = new WeakMap<Timeline, FoldedRevision[]>();

/** Returns the threads after each event about a thread or a comment, one entry per event. */
function foldedRevisions(timeline: Timeline): FoldedRevision[] {
  const known = cache.get(timeline);
  if (known) return known;
  const revisions: FoldedRevision[] = [];
  const threadMarks = timeline.marks.filter(({ subject }) => kinds.has(subject.kind));
  for (const mark of threadMarks) {
    const fold = foldEvent(
      aggregates,
      revisions.at(-1)?.fold ?? emptyFold,
      evolving(mark, timeline),
    );
    revisions.push({ revision: mark.revision, fold, threads: commentThreadsOf(fold) });
  }
  cache.set(timeline, revisions);
  return revisions;
}

function evolving(
  { id, version, subject, actorId, type, toPhase, body, revision }: Mark,
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
    recordedAt: new Date(timeOf(revision)).toISOString(),
  };
}

/**
 * Returns the revision of each thread's first comment by thread id. The thread is visible from that
 * revision on.
 */
export function firstComments(marks: readonly Mark[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const mark of marks) {
    const about = bodyOf(mark, "comment.added")?.thread;
    if (about !== undefined && !first.has(about)) first.set(about, mark.revision);
  }
  return first;
}

/**
 * Returns the threads of a document as they were at a revision, each with the place of its passage
 * in that revision's text.
 */
export function threadsAt(timeline: Timeline, revision: number): PastThread[] {
  const folded = foldedRevisions(timeline).findLast((each) => each.revision <= revision);
  if (!folded) return [];
  const text = pastText(timeline, rewritingOf(timeline), revision);
  return folded.threads.map((each) => ({ ...each, where: whereIs(each.anchor, text) }));
}

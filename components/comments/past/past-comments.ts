import type { Block } from "@/events/history/timeline/full-history-text";
import { scriptOf } from "@/events/history/timeline/script";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import { threadsAt } from "@/machines/past-threads";
import type { PastThread } from "@/machines/past-threads";

function commentMark({ marks }: Timeline, index: number): Mark | undefined {
  return marks.findLast(
    ({ revision, subject }) =>
      revision === index && (subject.kind === "thread" || subject.kind === "comment"),
  );
}

/**
 * Returns the open threads at a revision. `now` is the id of the revision's comment event, and
 * `touched` is the id of its thread.
 */
export function commentsAt(
  timeline: Timeline,
  index: number,
): { threads: PastThread[]; now: string | null; touched: string | null } {
  const now = commentMark(timeline, index)?.subject.id ?? null;
  const all = threadsAt(timeline, index);
  const touched =
    all.find(({ id, comments }) => id === now || comments.some((comment) => comment.id === now))
      ?.id ?? null;
  return {
    threads: all.filter(({ id, resolved }) => !resolved || id === touched),
    now,
    touched,
  };
}

/**
 * Returns the block with the words of the thread that changed at a revision. Returns null if no
 * thread changed or if the place of the words is unknown.
 */
export function commentedBlock(timeline: Timeline, index: number): Block | null {
  // Few revisions change a thread, and finding the words of every thread is slow.
  if (!commentMark(timeline, index)) return null;
  const { threads, touched } = commentsAt(timeline, index);
  const where = threads.find(({ id }) => id === touched)?.where;
  const spot = where?.state === "gone" ? where.at : where?.from;
  const textblock = spot && scriptOf(timeline).textblocks[spot.textblock];
  return textblock ? (timeline.blocks[textblock.block] ?? null) : null;
}

import type { Anchor } from "@/events/analysis/anchors/anchor";
import { subjectsOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { comment } from "./comment";
import type { Comment } from "./comment";
import { thread } from "./thread";
import type { Thread } from "./thread";

/** A comment as the margin shows it, without text if it is deleted. */
export type ThreadComment = Comment & { id: string; deleted: boolean };

/** A thread with its comments, oldest first. */
export type CommentThread = Omit<Thread, keyof Anchor> & {
  id: string;
  resolved: boolean;
  anchor: Anchor;
  comments: readonly ThreadComment[];
};

/**
 * Returns the threads of a document in the order in which they were opened. A thread whose comments
 * are all deleted is left out.
 */
export function commentThreadsOf(fold: StreamFold): CommentThread[] {
  const byThread = new Map<string, ThreadComment[]>();
  for (const { id, folded } of subjectsOf(fold, comment)) {
    const one = { ...folded.state, id, deleted: folded.phase === "deleted" };
    const before = byThread.get(one.thread);
    if (before) before.push(one);
    else byThread.set(one.thread, [one]);
  }
  return subjectsOf(fold, thread).flatMap(({ id, folded: { phase, state } }) => {
    const { start, end, quote, ...rest } = state;
    const comments = byThread.get(id) ?? [];
    if (comments.every(({ deleted }) => deleted)) return [];
    return [
      { ...rest, id, resolved: phase === "resolved", anchor: { start, end, quote }, comments },
    ];
  });
}

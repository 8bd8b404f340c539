import { phaseOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { mayEmit } from "../catalog";
import type { ThreadComment } from "../comment-thread";
import type { Role } from "../member";

type Input = { fold: StreamFold | null; documentId: string; role: Role | null; userId: string };

/**
 * Returns what the law (transition table) lets the person do with comments. Everything is forbidden
 * while `fold` is null, before the comments are read.
 */
export function commentRights({ fold, documentId, role, userId }: Input): {
  mayComment: boolean;
  mayChange: (comment: ThreadComment) => boolean;
} {
  const hosts = fold !== null && phaseOf(fold, { kind: "document", id: documentId }) === "live";
  return {
    mayComment:
      hosts && mayEmit("thread.opened", { phase: "absent", role, isSelf: false, isAuthor: false }),
    mayChange: ({ authorId, deleted }) =>
      hosts &&
      mayEmit("comment.edited", {
        phase: deleted ? "deleted" : "shown",
        role,
        isSelf: false,
        isAuthor: authorId === userId,
      }),
  };
}

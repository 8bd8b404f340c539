import { phaseOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { mayEmit } from "../catalog";
import type { ThreadComment } from "../comment-thread";
import type { Role } from "../member";

type Input = { fold: StreamFold | null; documentId: string; role: Role | null; userId: string };

/**
 * The right to comment by the law (the transition table); none before the comments are read (`fold`
 * is null).
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

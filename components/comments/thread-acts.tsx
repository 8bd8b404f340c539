"use client";

import { Link } from "@/components/ui/link";
import type { CommentThread } from "@/machines/comment-thread";
import { useDiscussion } from "./discussion-context";
import styles from "./threads.module.css";

type Props = {
  thread: CommentThread;
  /** The URL of the revision at which the thread was opened, or null while unknown. */
  then: string | null;
  onResolved: () => void;
  onReopened: () => void;
};

/** Shows the controls of an active thread: to resolve or reopen it, or to open its revision. */
export function ThreadActs({ thread: { id, resolved }, then, onResolved, onReopened }: Props) {
  const { commentActions, mayComment, announceAction } = useDiscussion();
  return (
    <p className={styles.acts}>
      {mayComment && !resolved && (
        <button
          type="button"
          className="link"
          onClick={() => {
            void announceAction("Thread resolved", commentActions.resolve(id));
            onResolved();
          }}
        >
          Resolve
        </button>
      )}
      {mayComment && resolved && (
        <button
          type="button"
          className="link"
          onClick={() => {
            void announceAction("Thread reopened", commentActions.reopen(id));
            onReopened();
          }}
        >
          Reopen
        </button>
      )}
      {then !== null && (
        <Link className="link" href={then} scroll={false}>
          See the text at that time
        </Link>
      )}
    </p>
  );
}

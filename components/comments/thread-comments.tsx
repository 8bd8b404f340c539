"use client";

import { isolated } from "@/events/core/text/isolated";
import type { CommentThread } from "@/machines/comment-thread";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { CommentItem } from "./comment-item";
import { useDiscussion } from "./discussion-context";
import { answerWords, countWords } from "./quote-words";
import styles from "./threads.module.css";

type Props = {
  thread: CommentThread;
  active: boolean;
  onActivate: () => void;
  /** Called when the reader deletes a comment. The buttons of the comment unmount. */
  onRemoved: () => void;
};

/** Shows the comments of a thread. Only the first is shown while another thread is active. */
export function ThreadComments({ thread, active, onActivate, onRemoved }: Props) {
  const { people, clock } = useWorkspace("people", "clock");
  const { commentActions, mayComment, mayChange, isNew, drafts, announceAction } = useDiscussion();
  const { id, resolved, comments } = thread;
  const left = comments.filter(({ deleted }) => !deleted);
  const shown = active ? comments : comments.slice(0, 1);
  const more = comments.length - shown.length;
  const news = comments.slice(shown.length).filter(isNew).length;
  const unsent = !active && mayComment && drafts.slot(id).read() !== "";
  return (
    <>
      <ol className={styles.comments}>
        {shown.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            author={people.get(comment.authorId)}
            clock={clock}
            fresh={isNew(comment)}
            change={
              active && mayChange(comment)
                ? {
                    draft: drafts.slot(comment.id),
                    edit: (text) =>
                      announceAction("Comment changed", commentActions.edit(comment.id, text)),
                    remove: () => {
                      void announceAction("Comment deleted", commentActions.remove(comment.id));
                      onRemoved();
                    },
                  }
                : null
            }
          />
        ))}
      </ol>
      {unsent && (
        <p className={styles.more}>
          <button type="button" className="link" onClick={onActivate}>
            Your reply isn’t sent yet
          </button>
        </p>
      )}
      {more > 0 && (
        <p className={styles.more}>
          <button type="button" className="link" onClick={onActivate}>
            {answerWords(more, news)}
          </button>
        </p>
      )}
      {resolved && (
        <p className={styles.settled}>
          Resolved
          {thread.resolvedBy === null
            ? ""
            : ` by ${isolated(people.get(thread.resolvedBy)?.name ?? "somebody")}`}
          . {countWords(left.length)}.
        </p>
      )}
    </>
  );
}

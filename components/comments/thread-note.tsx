"use client";

import { useEffect, useRef, type KeyboardEvent } from "react";
import { type CommentThread, type ThreadComment } from "@/machines/comment-thread";
import { type Person } from "@/events/read-models/person";
import { classNames } from "@/components/ui/class-names";
import { isolated } from "@/events/core/text/isolated";
import { Link } from "@/components/ui/link";
import { type Clock } from "@/components/ui/time/use-clock";
import { CommentForm } from "./drafts/comment-form";
import { CommentItem } from "./comment-item";
import { type DraftStore } from "./drafts/draft-store";
import { answerWords, countWords, quoteWords } from "./quote-words";
import { type DocumentComments } from "./use-threads";
import styles from "./threads.module.css";

type Props = {
  thread: CommentThread;
  /** Whether its words are deleted from the text. */
  gone: boolean;
  active: boolean;
  /** Above 0 when the thread should take the focus. */
  focusRequests: number;
  /**
   * Whether the reply field takes the focus rather than the thread: on phones that opens the
   * keyboard.
   */
  answering: boolean;
  people: ReadonlyMap<string, Person>;
  clock: Clock;
  commentActions: DocumentComments;
  mayComment: boolean;
  mayChange: (comment: ThreadComment) => boolean;
  isNew: (comment: ThreadComment) => boolean;
  /** The URL of the revision at which the thread was opened; null while it is unknown. */
  then: string | null;
  onActivate: () => void;
  onShow: () => void;
  onLeave: () => void;
  /** Called when it moves to the other list, of resolved or of open threads. */
  onResolved: () => void;
  onReopened: () => void;
  drafts: DraftStore;
  onAnnounce: (sentence: string, done: Promise<{ ok: boolean }>) => Promise<{ ok: boolean }>;
};

/**
 * A thread as a note in the margin: the quoted words, the comments, and controls to reply, to
 * resolve it, and to show the words.
 */
export function ThreadNote(props: Props) {
  const {
    thread,
    gone,
    active,
    focusRequests,
    answering,
    people,
    clock,
    commentActions,
    mayComment,
    mayChange,
    isNew,
    then,
    drafts,
    onActivate,
    onShow,
    onLeave,
    onResolved,
    onReopened,
    onAnnounce,
  } = props;
  const { id, resolved, comments, anchor } = thread;
  const words = quoteWords(anchor.quote);
  const note = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focusRequests === 0 || (mayComment && active && answering)) return;
    note.current?.focus({ preventScroll: true });
  }, [focusRequests, active, mayComment, answering]);
  const left = comments.filter(({ deleted }) => !deleted);
  const shown = active ? comments : comments.slice(0, 1);
  const more = comments.length - shown.length;
  const news = comments.slice(shown.length).filter(isNew).length;
  const unsent = !active && mayComment && drafts.slot(id).read() !== "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onLeave();
  };
  return (
    <article
      ref={note}
      tabIndex={-1}
      aria-label={`Comment thread on “${words}”`}
      data-thread={id}
      className={classNames(styles.note, active && styles.active, resolved && styles.resolved)}
      onClick={() => !active && onActivate()}
      onFocus={() => !active && onActivate()}
      onKeyDown={onKeyDown}
    >
      <p className={styles.quote}>
        <button
          type="button"
          title={gone ? "Show where it was" : "Show in the text"}
          onClick={onShow}
        >
          {gone && "Deleted text: "}
          <q>{words}</q>
        </button>
      </p>
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
                      onAnnounce("Comment changed", commentActions.edit(comment.id, text)),
                    remove: () => {
                      void onAnnounce("Comment deleted", commentActions.remove(comment.id));
                      note.current?.focus();
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
      {active && mayComment && (
        <CommentForm
          label="Reply"
          submit={resolved ? "Reply and reopen" : "Reply"}
          focusRequests={answering ? focusRequests : 0}
          draft={drafts.slot(id)}
          onSubmit={(text) => {
            const done = onAnnounce("Reply added", commentActions.answer(thread, text));
            if (resolved) onReopened();
            return done;
          }}
          onCancel={() => onLeave()}
        />
      )}
      {active && (
        <p className={styles.acts}>
          {mayComment && !resolved && (
            <button
              type="button"
              className="link"
              onClick={() => {
                void onAnnounce("Thread resolved", commentActions.resolve(id));
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
                void onAnnounce("Thread reopened", commentActions.reopen(id));
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
      )}
    </article>
  );
}

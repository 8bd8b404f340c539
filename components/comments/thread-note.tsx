"use client";

import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { classNames } from "@/components/ui/class-names";
import type { CommentThread } from "@/machines/comment-thread";
import { useDiscussion } from "./discussion-context";
import { CommentForm } from "./drafts/comment-form";
import { quoteWords } from "./quote-words";
import { ThreadActs } from "./thread-acts";
import { ThreadComments } from "./thread-comments";
import styles from "./threads.module.css";

type Props = {
  thread: CommentThread;
  /** Whether the commented words are deleted from the text. */
  gone: boolean;
  /**
   * The state of the active thread, or null for others. Each focus request (above 0) moves the
   * focus to the thread or, if `answering`, to the reply field, which opens the keyboard on phones.
   */
  active: { focusRequests: number; answering: boolean } | null;
  /** The URL of the revision at which the thread was opened, or null while unknown. */
  then: string | null;
  onActivate: () => void;
  onShow: () => void;
  onLeave: () => void;
  /** Called when the thread moves to the other list, of resolved or of open threads. */
  onResolved: () => void;
  onReopened: () => void;
};

/**
 * Shows a thread as a note in the margin: the quoted words, the comments, and controls to reply, to
 * resolve the thread, and to show the words in the text.
 */
export function ThreadNote(props: Props) {
  const { thread, gone, active, then, onActivate, onShow, onLeave } = props;
  const { commentActions, mayComment, drafts, announceAction } = useDiscussion();
  const { id, resolved, anchor } = thread;
  const words = quoteWords(anchor.quote);
  const note = useRef<HTMLElement>(null);
  const { focusRequests = 0, answering = false } = active ?? {};
  useEffect(() => {
    if (focusRequests === 0 || (mayComment && answering)) return;
    note.current?.focus({ preventScroll: true });
  }, [focusRequests, mayComment, answering]);
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
      <ThreadComments
        thread={thread}
        active={active !== null}
        onActivate={onActivate}
        onRemoved={() => note.current?.focus()}
      />
      {active && mayComment && (
        <CommentForm
          label="Reply"
          submit={resolved ? "Reply and reopen" : "Reply"}
          focusRequests={answering ? focusRequests : 0}
          draft={drafts.slot(id)}
          onSubmit={(text) => {
            const done = announceAction("Reply added", commentActions.answer(thread, text));
            if (resolved) props.onReopened();
            return done;
          }}
          onCancel={() => onLeave()}
        />
      )}
      {active && (
        <ThreadActs
          thread={thread}
          then={then}
          onResolved={props.onResolved}
          onReopened={props.onReopened}
        />
      )}
    </article>
  );
}

"use client";

import { useState } from "react";
import type { ThreadComment } from "@/machines/comment-thread";
import { timeOf, whenOf } from "@/components/ui/time/day-words";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import type { Clock } from "@/components/ui/time/use-clock";
import { CommentForm } from "./drafts/comment-form";
import type { DraftSlot } from "./drafts/draft-store";
import styles from "./threads.module.css";

type Props = {
  comment: ThreadComment;
  author: Person | undefined;
  clock: Clock;
  fresh: boolean;
  /** The reader's actions on the comment, or null if they have none. */
  change: {
    edit: (text: string) => Promise<{ ok: boolean }>;
    remove: () => void;
    draft: DraftSlot;
  } | null;
};

/** Shows a comment with its author and time, and lets the reader edit or delete their own. */
export function CommentItem({ comment, author, clock, fresh, change }: Props) {
  const [mode, setMode] = useState<"read" | "edit" | "remove">("read");
  /** The mode that was left last. Its button regains the focus once. */
  const [left, setLeft] = useState<"edit" | "remove" | null>(null);
  const leave = () => {
    setLeft(mode === "read" ? null : mode);
    setMode("read");
  };
  const stay = () => setLeft(null);
  const { name, color } = author ?? { name: "Somebody", color: 10 };
  const when = whenOf(comment.addedAt, clock);
  return (
    <li className={styles.comment}>
      <p className={styles.line}>
        <Avatar name={name} color={color} picture={author?.picture} size="small" />
        <b>{name}</b>
        <time
          dateTime={comment.addedAt}
          title={timeOf(comment.addedAt, clock)}
          suppressHydrationWarning
        >
          {when}
        </time>
        {fresh && <span className={styles.fresh}>new</span>}
      </p>
      {mode === "edit" && change ? (
        <CommentForm
          label="Edit comment"
          submit="Save"
          initial={comment.text}
          focused
          open
          draft={change.draft}
          onSubmit={(text) => {
            leave();
            if (text === comment.text) return;
            // The field is unmounted by then, so after a refusal its words move to the draft store.
            const done = change.edit(text);
            change.draft.sent(text, done);
            void done.then(({ ok }) => !ok && change.draft.write(text));
          }}
          onCancel={leave}
        />
      ) : (
        <p className={comment.deleted ? styles.removed : styles.words}>
          {comment.deleted ? "This comment was deleted." : comment.text}
          {comment.editedAt !== null && !comment.deleted && <small> edited</small>}
        </p>
      )}
      {change !== null && mode === "read" && (
        <p className={styles.own}>
          <button
            type="button"
            className="link"
            autoFocus={left === "edit"}
            onFocus={stay}
            onClick={() => setMode("edit")}
          >
            Edit
          </button>
          <button
            type="button"
            className="link"
            autoFocus={left === "remove"}
            onFocus={stay}
            onClick={() => setMode("remove")}
          >
            Delete
          </button>
        </p>
      )}
      {change !== null && mode === "remove" && (
        <p className={styles.own} role="group" aria-label="Delete this comment?">
          <span>Delete this comment?</span>
          <button type="button" className="link" autoFocus onClick={leave}>
            Keep
          </button>
          <button type="button" className="link" onClick={change.remove}>
            Delete
          </button>
        </p>
      )}
    </li>
  );
}

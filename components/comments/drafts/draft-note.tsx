"use client";

import { classNames } from "@/components/ui/class-names";
import { CommentForm } from "./comment-form";
import type { DraftSlot } from "./draft-store";
import styles from "../threads.module.css";

type Props = {
  quote: string;
  /** Whether the thread was started just now and not on an earlier visit. */
  focused: boolean;
  /** Each new value moves the focus to the field again. */
  focusRequests: number;
  draft: DraftSlot;
  onSubmit: (text: string) => void;
  onCancel: (discarded: boolean) => void;
};

/** Shows a new thread before it is sent. */
export function DraftNote({ quote, focused, focusRequests, draft, onSubmit, onCancel }: Props) {
  return (
    <section
      aria-label={`New comment on “${quote}”`}
      className={classNames(styles.note, styles.active)}
    >
      <p className={styles.quote}>
        <q>{quote}</q>
      </p>
      <CommentForm
        label="Comment"
        submit="Comment"
        draft={draft}
        focused={focused}
        focusRequests={focusRequests}
        open
        onSubmit={onSubmit}
        onCancel={onCancel}
      />
    </section>
  );
}

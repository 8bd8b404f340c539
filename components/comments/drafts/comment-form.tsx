"use client";

import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { longestComment } from "@/events/core/text/text-lengths";
import { normalizedName } from "@/events/core/text/visible-text";
import { Button } from "@/components/ui/button";
import type { DraftSlot } from "./draft-store";
import styles from "../threads.module.css";

type Props = {
  label: string;
  /** The label of the submit button. */
  submit: string;
  initial?: string;
  focused?: boolean;
  /** Whether the buttons are shown before anything is typed. */
  open?: boolean;
  /** Each new value moves the focus to the field again. */
  focusRequests?: number;
  /** Keeps the words until they are sent or discarded. */
  draft: DraftSlot;
  /** Sends the words. A refusal restores them to the field. */
  onSubmit: (text: string) => void | Promise<{ ok: boolean }>;
  /**
   * Called when the person leaves the field. Escape keeps the words (`discarded` is false), and
   * Cancel discards them.
   */
  onCancel?: (discarded: boolean) => void;
};

/**
 * Renders a comment field that grows with its text. Ctrl/⌘ Enter sends the comment, Escape leaves
 * the field and keeps the words, and Cancel discards them.
 */
export function CommentForm({
  label,
  submit,
  initial = "",
  focused = false,
  open = false,
  focusRequests = 0,
  draft,
  onSubmit,
  onCancel,
}: Props) {
  const [text, setText] = useState(() => draft.read() || initial);
  const [within, setWithin] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const help = useId();
  useEffect(() => {
    if (!focused && focusRequests === 0) return;
    const element = field.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollIntoView({ block: "nearest" });
  }, [focused, focusRequests]);
  const write = (next: string) => {
    setText(next);
    draft.write(next === initial ? "" : next);
  };
  const ready = normalizedName(text) !== "";
  const send = () => {
    if (!ready) return;
    write("");
    const submitted = normalizedName(text);
    const done = onSubmit(submitted);
    if (done === undefined) return;
    draft.sent(submitted, done);
    void done.then(({ ok }) => {
      if (ok) return;
      if (draft.read() === "") draft.write(submitted);
      setText((since) => since || submitted);
    });
  };
  const discard = () => {
    setText(initial);
    draft.write("");
    onCancel?.(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onCancel?.(false);
    }
  };
  const shown = open || within || text !== initial;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onFocus={() => setWithin(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setWithin(false);
      }}
    >
      <textarea
        ref={field}
        rows={1}
        maxLength={longestComment}
        aria-label={label}
        aria-describedby={help}
        placeholder={label}
        value={text}
        onChange={(event) => write(event.target.value)}
        data-takes-escape={onCancel ? true : undefined}
        onKeyDown={onKeyDown}
      />
      <span id={help} className="sr">
        Control or Command and Enter sends it, Escape leaves it and keeps what is written.
      </span>
      {shown && (
        <div className={styles.buttons}>
          <Button look="primary" type="submit" aria-disabled={!ready}>
            {submit}
          </Button>
          {onCancel && (
            <Button look="quiet" onClick={discard}>
              Cancel
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

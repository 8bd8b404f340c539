"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { numberWords } from "@/events/core/text/number-words";
import {
  localInput,
  revisionAtTime,
  timeOfInput,
} from "@/components/history/playback/revision-input";
import { backToSlider } from "@/components/history/playback/slider-focus";
import styles from "./player-dialogs.module.css";

type Props = {
  timeline: Timeline;
  index: number;
  onGo: (index: number) => void;
  onClose: () => void;
};

/** Asks for a time or an edit number, and shows that revision. */
export function GoToDialog({ timeline, index, onGo, onClose }: Props) {
  const [time, setTime] = useState(() => localInput(timeline.timeOf(index)));
  const [edit, setEdit] = useState(`${index + 1}`);
  const [last, setLast] = useState<"time" | "edit">("time");
  const [error, setError] = useState<string | null>(null);
  const go = (event: FormEvent) => {
    event.preventDefault();
    const goal = timeOfInput(time);
    const number = Number(edit);
    if (last === "time" && goal === null) return setError("Enter a date and time.");
    if (
      last === "edit" &&
      !(Number.isInteger(number) && number >= 1 && number <= timeline.length)
    ) {
      return setError(`Edits are numbered from 1 to ${numberWords(timeline.length)}.`);
    }
    onGo(last === "edit" || goal === null ? number - 1 : revisionAtTime(timeline, goal));
    onClose();
  };
  const first = localInput(timeline.timeOf(0));
  const newest = localInput(timeline.timeOf(timeline.length - 1));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Go to a moment"
    >
      <form className={styles.form} onSubmit={go} noValidate>
        <Field
          label="Date and time"
          type="datetime-local"
          step={1}
          min={first}
          max={newest}
          value={time}
          help="Shows the document as it was at that time."
          error={last === "time" ? error : null}
          onChange={({ target }) => (setTime(target.value), setLast("time"), setError(null))}
        />
        <Field
          label={`Edit, 1 to ${numberWords(timeline.length)}`}
          inputMode="numeric"
          value={edit}
          error={last === "edit" ? error : null}
          onChange={({ target }) => (setEdit(target.value.trim()), setLast("edit"), setError(null))}
        />
        <DialogActions>
          <Button look="edge" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit">
            Go
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

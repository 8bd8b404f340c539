"use client";

import { useMemo, useState } from "react";
import type { Comparison } from "@/events/analysis/comparison/comparison";
import { counted } from "@/components/history/words/change-words";
import { DiffPreview } from "@/components/history/compare/diff-preview";
import { authorsOf } from "@/components/history/authors/authors";
import { useComparison } from "@/components/history/compare/use-comparison";
import type { Person } from "@/events/read-models/person";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { RestorePreview } from "@/events/revisions/restore";
import { backToSlider } from "@/components/history/playback/slider-focus";
import styles from "./restore-dialog.module.css";

type Props = {
  title: string;
  /** The effect on the text, as a sentence. */
  will: string;
  preview: RestorePreview;
  /** Whether the preview has replaced another, because new events changed the effect. */
  overtaken: boolean;
  people: ReadonlyMap<string, Person>;
  /** The first names of the people who are writing now. */
  writing: readonly string[];
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

const list = new Intl.ListFormat("en-GB");

/** Describes the change of words: "12 words come back, 3 words go." */
function deltaWords({ words }: Pick<Comparison, "words">): string {
  if (words.in === 0 && words.out === 0)
    return "The words are the same; only their form or order changes.";
  const back =
    words.in > 0 ? `${counted(words.in, "word")} ${words.in === 1 ? "comes" : "come"} back` : "";
  const out =
    words.out > 0 ? `${counted(words.out, "word")} ${words.out === 1 ? "goes" : "go"}` : "";
  return `${[back, out].filter(Boolean).join(", ")}.`;
}

/** Asks before a restore, and shows its effect on the text and on the people who are writing. */
export function RestoreDialog({
  title,
  will,
  preview,
  overtaken,
  people,
  writing,
  action,
  onConfirm,
  onClose,
}: Props) {
  const [busy, setBusy] = useState(false);
  const { timeline, now } = preview;
  const authors = useMemo(() => authorsOf(timeline, people), [timeline, people]);
  const comparison = useComparison({ source: authors.source, from: now, to: timeline.length - 1 });
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
  };
  const others =
    writing.length > 0
      ? ` ${list.format(writing)} ${writing.length === 1 ? "is" : "are"} writing now and will see it happen.`
      : "";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title={title}
      description={
        `${will}${comparison ? ` ${deltaWords(comparison)}` : ""}${others} Nothing is lost: ` +
        "the text now stays in the history, and you can undo this."
      }
    >
      {overtaken && (
        <p className={styles.overtaken} role="alert">
          Others went on writing while this was open, and what it would do is no longer what you
          saw. Nothing was changed yet: look at it as it is now, and confirm again.
        </p>
      )}
      <div className={styles.preview}>
        <DiffPreview comparison={comparison} authors={authors} />
      </div>
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" busy={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

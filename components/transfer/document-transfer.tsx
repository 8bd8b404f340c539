"use client";

import { useEffect, useRef } from "react";
import { numberWords } from "@/events/core/text/number-words";
import { Button } from "@/components/ui/button";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { Progress } from "@/components/ui/progress";
import type { Work } from "@/machines/transfer/transfer";
import { RefusedRequest } from "./requests";
import { useTransfer } from "./use-transfer";
import styles from "./transfer.module.css";

type Props = {
  /** The label of the progress, such as "Gathering your data". */
  label: string;
  work: Work;
  onDone: () => void;
  /** Called when the transfer is done or cancelled. */
  onEnd: () => void;
};

function problemOf(fault: unknown): string {
  if (fault instanceof RefusedRequest) return `${fault.message} Nothing was saved.`;
  return failureWords(fault, "Nothing was saved", navigator.onLine);
}

/** Builds a file from many documents, one by one, and shows progress, cancel and retry. */
export function DocumentTransfer({ label, work, onDone, onEnd }: Props) {
  const { phase, progress, fault, start, cancel } = useTransfer(work, () => {
    onDone();
    onEnd();
  });
  const begin = useRef(start);
  useEffect(() => begin.current(), []);
  useEffect(() => {
    if (phase === "failed") reportUnexpected(fault);
    if (phase === "cancelled") onEnd();
  }, [phase, fault, onEnd]);
  const { done, all } = progress;
  if (phase === "failed")
    return (
      <>
        <FormNotice problem={problemOf(fault)} stamp={0} />
        <div className={styles.row}>
          <Button look="edge" onClick={start}>
            Try again
          </Button>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </div>
      </>
    );
  return (
    <>
      <div className={styles.wide}>
        <Progress
          label={label}
          value={all === null ? null : done}
          most={all ?? 1}
          words={
            all === null
              ? `${label}…`
              : `${numberWords(done)} of ${numberWords(all)} ${all === 1 ? "document" : "documents"}`
          }
        />
      </div>
      <Button look="edge" onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

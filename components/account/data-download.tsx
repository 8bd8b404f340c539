"use client";

import { useEffect, useMemo, useRef } from "react";
import { numberWords } from "@/events/core/number-words";
import { Button } from "@/components/ui/button";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { FormNotice } from "@/components/ui/form-notice";
import { Progress } from "@/components/ui/progress";
import { useToast } from "@/components/ui/toast";
import { RefusedRequest } from "./asked-json";
import { archiveName, dataArchive } from "./data-archive";
import { useTransfer } from "./use-transfer";
import styles from "./account-page.module.css";

function save(blob: Blob): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: archiveName }).click();
  // Browsers read what is behind an address after the click that asked for it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function problemOf(fault: unknown): string {
  if (fault instanceof RefusedRequest) return `${fault.message} Nothing was saved.`;
  return failureWords(fault, "Nothing was saved", navigator.onLine);
}

/** Makes the archive of somebody's data, shows how far it is, and saves it. */
export function DataDownload({ onEnd }: { onEnd: () => void }) {
  const toast = useToast();
  const work = useMemo(() => dataArchive(save), []);
  const { phase, progress, fault, start, cancel } = useTransfer(work, () => {
    toast({ text: "Your data is saved as one archive. Open “index.html” in it." });
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
          label="Gathering your data"
          value={all === null ? null : done}
          most={all ?? 1}
          words={
            all === null
              ? "Gathering your data…"
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

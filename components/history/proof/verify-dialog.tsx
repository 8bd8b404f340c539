"use client";

import { tolerate } from "@/events/core/error-report";
import { Copy, ShieldAlert, ShieldCheck } from "lucide-react";
import type { Backend } from "@/events/backend/backend";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { renewCaches } from "@/events/crdt/validation/snapshot";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { numberWords } from "@/events/core/text/number-words";
import { forgetPages } from "@/components/session/device-pages";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { useToast } from "@/components/ui/toast";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import type { Clock } from "@/components/ui/time/use-clock";
import { Progress } from "@/components/ui/progress";
import { fingerprint, reportWords } from "@/events/proof/report-words";
import { useCheck } from "./use-check";
import type { Check } from "./use-check";
import styles from "./proof.module.css";

type Props = {
  backend: Pick<Backend, "store" | "history" | "rows">;
  documentId: string;
  /** Returns the shown text as the log should have it, or null until it is loaded. */
  shown: () => WholeState | null;
  /** The newest known version, to which the progress is relative. */
  version: number;
  clock: Clock;
  onClose: () => void;
};

/** Verifies a document's history in the browser, and reports the result. */
export function VerifyDialog({ backend, documentId, shown, version, clock, onClose }: Props) {
  const { check, again, cancel } = useCheck(backend, documentId, shown);
  const toast = useToast();
  const renew = async () => {
    try {
      await renewCaches(backend.rows, documentId);
    } catch {
      return toast({
        text: "The text wasn’t rebuilt: that needs someone who can edit here, and a connection. Nothing was changed.",
      });
    }
    // Without storage, there are no cached pages to delete.
    await forgetPages().catch(tolerate("forgetting kept pages"));
    location.reload();
  };
  const running = check.state === "running";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Verify history"
      description={
        "Every event of this document carries a hash over the one before it. They are " +
        "computed again here, in your browser, and compared with what it has seen before and " +
        "with the text it shows."
      }
    >
      {running ? (
        <Progress
          label="Checking the history"
          value={check.version}
          most={Math.max(version, check.version)}
          words={`${numberWords(check.version)} of ${numberWords(Math.max(version, check.version))} events`}
        />
      ) : (
        <Found check={check} clock={clock} />
      )}
      <DialogActions>
        {running ? (
          <Button look="edge" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <>
            <Button look="edge" onClick={again}>
              Verify again
            </Button>
            {isOtherText(check) ? (
              <Button look="primary" onClick={() => void renew()}>
                Rebuild the text
              </Button>
            ) : (
              <Button look="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

const isOtherText = (check: Check) =>
  check.state === "done" && check.report.verdict === "other-text";

function Found({ check, clock }: { check: Check; clock: Clock }) {
  const copyText = useCopyText();
  if (check.state === "cancelled")
    return <p role="status">You stopped the check. Nothing was changed.</p>;
  if (check.state !== "done")
    return (
      <p role="alert">
        The history could not be read, so it was not checked. Try again when you are back online.
      </p>
    );
  const formatTime = (time: number) => dateTimeOf(new Date(time).toISOString(), clock);
  const { report, since } = check;
  const { sound, found, meaning } = reportWords(report, formatTime(since ?? clock.now), formatTime);
  const head = report.verdict === "intact" ? report.head : null;
  const copy = (text: string) => void copyText(text, "Fingerprint copied");
  return (
    <>
      <div className={sound ? styles.sound : styles.unsound} role={sound ? "status" : "alert"}>
        <Icon of={sound ? ShieldCheck : ShieldAlert} />
        <div>
          <p className={styles.found}>{found}</p>
          {meaning.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
      {head !== null && head.hash !== null && (
        <div className={styles.head}>
          <p>
            Fingerprint at event {numberWords(head.version)}. Kept outside, in a mail or a notebook,
            it shows even a stranger whether this history was changed.
          </p>
          <code>{fingerprint(head.hash)}</code>
          <Button look="edge" onClick={() => copy(`${head.version} ${head.hash ?? ""}`)}>
            <Icon of={Copy} />
            Copy
          </Button>
        </div>
      )}
    </>
  );
}

"use client";

import { useState } from "react";
import { longestReason } from "@/events/core/text/text-lengths";
import { systemRandom } from "@/events/core/clock";
import { mostAlong, repeats } from "@/events/crdt/payload/repeated-words";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { pageFetch } from "@/components/session/person/page-person";
import { messageOf } from "@/components/transfer/requests";
import { unsureWords } from "@/components/ui/failure-words";
import { Progress } from "@/components/ui/progress";
import { useBackend } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { goesAlong, RepeatedWords } from "./repeated-words";
import { backToSlider } from "@/components/history/playback/slider-focus";
import { useRepeats } from "./use-repeats";
import styles from "./redact-dialog.module.css";

type Props = {
  documentId: string;
  store: Pick<Store, "read">;
  /** The event whose words are to be destroyed, with its author and time in words. */
  version: number;
  author: string;
  when: string;
  onClose: () => void;
};

const refusedWords =
  "This could not be redacted as it is. Nothing was changed; reload the page and try again.";

/**
 * Asks an owner to confirm a redaction. Shows the words of the event, the events that repeat them,
 * and the documents that contain copies.
 */
export function RedactDialog({ documentId, store, version, author, when, onClose }: Props) {
  const rows = useBackend()?.rows ?? null;
  const {
    words: read,
    withFile,
    repeats: found,
    searched,
    newest,
    failed,
  } = useRepeats({ documentId, version, store, rows });
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // An event that certainly contains nothing else is redacted too, and others are not. The owner
  // can invert this for each event.
  const [inverted, setInverted] = useState<ReadonlySet<number>>(new Set());
  const words = failed === null ? read : null;
  const hasNothing = words === "" && !withFile;
  const redact = async () => {
    if (found === null || words === null) return;
    if (repeats(reason, words))
      return setError("The reason repeats the text to be redacted. Say it without them.");
    setBusy(true);
    const quotes = found.repeating
      .slice(0, mostAlong)
      .filter((event) => goesAlong(event, inverted))
      .map(({ version: other }) => ({ id: systemRandom.uuid(), version: other }));
    const response = await pageFetch(`/d/${documentId}/redact`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: systemRandom.uuid(), version, reason, quotes }),
    }).catch(() => null);
    // The player keeps what it has read. Only a reload certainly removes it.
    if (response?.ok) return location.reload();
    setBusy(false);
    setError(
      response
        ? ((await messageOf(response)) ?? refusedWords)
        : unsureWords(new StoreFault("no answer", 0), "Nothing was changed", navigator.onLine),
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Redact this edit"
      description={
        `What ${author} wrote here, ${when}, is destroyed for everyone, in the ` +
        "document and in its history. Where the same words were written or " +
        "brought back by something else, they go only if that is ticked below. " +
        "That it happened stays, and that you redacted it. This cannot be " +
        "undone."
      }
    >
      {read === null && failed === null && <Skeleton lines={3} label="Reading the text" />}
      {failed !== null && (
        <p className={styles.none} role="alert">
          {failed}
        </p>
      )}
      {words !== null &&
        (words === "" ? (
          <p className={styles.none}>
            {withFile
              ? "This edit has no text. It brought an image or a file."
              : "This edit has no text; there is nothing to redact."}
          </p>
        ) : (
          <blockquote className={styles.words}>{words}</blockquote>
        ))}
      {found !== null && !hasNothing && (
        <RepeatedWords {...found} inverted={inverted} onInverted={setInverted} />
      )}
      {found === null && words !== null && searched > 0 && (
        <Progress
          label="History looked through"
          value={searched}
          most={newest}
          words="Looking for the same text and its files in the whole history."
        />
      )}
      {words !== null && !hasNothing && (
        <Field
          label="Reason"
          help="Everybody can read it in the history."
          value={reason}
          maxLength={longestReason}
          error={error}
          onChange={(event) => (setReason(event.target.value), setError(null))}
        />
      )}
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          {hasNothing ? "Close" : "Cancel"}
        </Button>
        {words !== null && !hasNothing && (
          <Button look="danger" busy={busy || found === null} onClick={() => void redact()}>
            Redact for good
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

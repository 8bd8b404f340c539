"use client";

import { useEffect, useMemo, useState } from "react";
import type { FormEvent } from "react";
import { useTab } from "@/components/session/backend-provider";
import { readAccountEnd } from "@/events/read-models/account-end";
import type { DeletionEffect } from "@/events/read-models/account-end";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { Field } from "@/components/ui/field";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { Progress } from "@/components/ui/progress";
import { Skeleton } from "@/components/ui/skeleton";
import { numberWords } from "@/events/core/text/number-words";
import { RefusedRequest } from "@/components/transfer/requests";
import { deletionWork } from "./deletion-work";
import { useTransfer } from "@/components/transfer/use-transfer";
import { WorkspaceEffects } from "./workspace-effects";
import styles from "./delete-account.module.css";

const what =
  "This can’t be undone. You are signed out on every device at once, and your name becomes " +
  "“Former member” wherever it stands. What you wrote in documents that others share stays there.";

function problemOf(fault: unknown): string {
  if (fault instanceof RefusedRequest) return fault.message;
  return failureWords(fault, "Your account is not deleted yet", navigator.onLine);
}

/**
 * Asks the person to type their email address before their account is deleted, and lists the effect
 * on each workspace.
 */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { open } = useTab();
  const [effects, setEffects] = useState<DeletionEffect[] | null>(null);
  const [unread, setUnread] = useState<unknown>(null);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { agree, work } = useMemo(() => deletionWork(email), [email]);
  const { phase, progress, fault, start } = useTransfer(work, () => {
    void Promise.all([open(), import("@/components/session/tab")]).then(([tab, { leaveForGood }]) =>
      leaveForGood(tab),
    );
  });
  const refused = fault instanceof RefusedRequest ? fault : null;
  // Reads the effects again after a refusal: members may have joined or left since.
  useEffect(() => {
    open()
      .then(({ backend }) => readAccountEnd(backend.rows))
      .then(setEffects, setUnread);
  }, [open, refused]);
  useEffect(() => {
    const failed = phase === "failed" ? fault : unread;
    if (failed && !(failed instanceof RefusedRequest)) reportUnexpected(failed);
  }, [phase, fault, unread]);
  const isBusy = phase === "running" || phase === "done";
  const mustHandOver = effects?.some(({ effect }) => effect === "kept") ?? false;
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || effects === null || mustHandOver) return;
    if (typed.trim().toLowerCase() !== email.toLowerCase())
      return setError("This is not the address of your account.");
    setError(null);
    agree(effects.filter(({ effect }) => effect === "alone").map(({ id }) => id));
    start();
  };
  const { done, all } = progress;
  return (
    <Dialog
      open
      required={isBusy}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Delete account"
      description={what}
    >
      <form className={styles.form} onSubmit={confirm} noValidate>
        <FormNotice
          problem={phase === "failed" ? problemOf(fault) : unread ? problemOf(unread) : null}
          stamp={0}
        />
        {effects ? <WorkspaceEffects effects={effects} /> : !unread && <Skeleton lines={2} />}
        {effects && !mustHandOver && (
          <Field
            label="Your email address, to confirm"
            name="confirmation"
            type="email"
            autoComplete="off"
            value={typed}
            readOnly={isBusy}
            onChange={(event) => setTyped(event.target.value)}
            error={error}
            help={email}
          />
        )}
        {isBusy && (
          <Progress
            label="Deleting your account"
            value={all === null ? null : done}
            most={all ?? 1}
            words={
              all
                ? `Deleting documents: ${numberWords(done)} of ${numberWords(all)}`
                : "Deleting your account…"
            }
          />
        )}
        <DialogActions>
          {!isBusy && (
            <Button look="edge" onClick={onClose}>
              {mustHandOver ? "Close" : "Cancel"}
            </Button>
          )}
          {!mustHandOver && (
            <Button type="submit" look="danger" busy={isBusy || effects === null}>
              {phase === "failed" ? "Try again" : "Delete account for good"}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

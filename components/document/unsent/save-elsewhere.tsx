"use client";

import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { longestTitle } from "@/events/core/text/text-lengths";
import { systemClock, systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import { normalizedName } from "@/events/core/text/visible-text";
import { documentOf } from "@/machines/sync/device/unsent-text";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { appendImport } from "@/machines/import/importing";
import type { Begun } from "@/machines/import/importing";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/forms/select";
import styles from "./unsent.module.css";

type Props = {
  text: string;
  userId: string;
  onClose: () => void;
  /**
   * Called once the new document has the text, so that the copy here can be deleted. Resolves after
   * the deletion.
   */
  onSaved: () => Promise<void>;
};

const unsaved = "Your text was not saved";

/** Asks for a workspace and creates a document there with text that could not be saved. */
export function SaveElsewhere({ text, userId, onClose, onSaved }: Props) {
  const { open } = useTab();
  const [places, setPlaces] = useState<readonly { id: string; name: string }[] | null>(null);
  const [place, setPlace] = useState<string | null>(null);
  const [title, setTitle] = useState("Recovered text");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A retry creates the same document, because the answer to the first request may be lost.
  const begun = useRef<(Begun & { place: string; title: string }) | null>(null);
  useEffect(() => {
    let isCurrent = true;
    Promise.all([open(), import("@/events/read-models/workspace-rows")])
      .then(([{ backend }, { workspacesToWriteIn }]) => workspacesToWriteIn(backend.rows, userId))
      .then(
        (found) => isCurrent && (setPlaces(found), setPlace(found[0]?.id ?? null)),
        (fault: unknown) =>
          isCurrent &&
          setProblem(failureWords(fault, "Your workspaces could not be read", navigator.onLine)),
      );
    return () => {
      isCurrent = false;
    };
  }, [open, userId]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const newTitle = normalizedName(title);
    if (place === null || !newTitle) return setProblem("Give the document a title.");
    setBusy(true);
    setProblem(null);
    try {
      const { backend } = await open();
      if (begun.current?.place !== place || begun.current.title !== newTitle) {
        const appends = documentOf(text, {
          workspaceId: place,
          title: newTitle,
          random: systemRandom,
          clock: systemClock,
          schema: schemaVersion,
        });
        begun.current = { document: systemRandom.uuid(), appends, done: 0, place, title: newTitle };
      }
      const { current } = begun;
      const answer = await appendImport(current, {
        append: backend.store.append,
        signal: new AbortController().signal,
        newId: systemRandom.uuid,
        onDone: (done) => (current.done = done),
      });
      if (answer.state === "refused") return setProblem(sentence(answer.refusal));
      await onSaved();
      location.assign(`/d/${current.document}`);
    } catch (fault) {
      reportUnexpected(fault);
      setProblem(failureWords(fault, unsaved, navigator.onLine));
    } finally {
      setBusy(false);
    }
  };
  const none = places?.length === 0;
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title="Save as new document"
      description={
        none
          ? "There is no workspace in which you can write. Create one, and come back to this page."
          : "Your text becomes a document of its own."
      }
    >
      <form onSubmit={(event) => void save(event)} noValidate>
        {!none && (
          <>
            <Field
              label="Document title"
              value={title}
              maxLength={longestTitle}
              autoComplete="off"
              error={problem}
              onChange={(event) => setTitle(event.target.value)}
            />
            {places !== null && place !== null && (
              <div className={styles.place}>
                <span>Workspace</span>
                <Select
                  edge
                  label="Workspace"
                  value={place}
                  onChange={setPlace}
                  options={places.map(({ id, name }) => ({ value: id, label: name }))}
                />
              </div>
            )}
          </>
        )}
        <DialogActions>
          <Button look="edge" onClick={onClose}>
            Cancel
          </Button>
          {!none && (
            <Button look="primary" type="submit" busy={busy || place === null}>
              Save
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

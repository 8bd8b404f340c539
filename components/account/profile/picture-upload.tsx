"use client";

import { useMachine } from "@xstate/react";
import { useEffect, useRef, useState } from "react";
import { bytesWords } from "@/events/content/file-attributes";
import { Button } from "@/components/ui/button";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { Progress } from "@/components/ui/progress";
import { uploadMachine } from "@/machines/upload/upload";
import { pictureSteps } from "./picture-steps";
import styles from "../account-page.module.css";

type Props = {
  file: File;
  onDone: () => void;
  /** Called when the upload is cancelled. */
  onEnd: () => void;
  /** Called to choose another file instead. */
  onChoose: () => void;
};

/** Uploads a picture, and shows progress, cancel and retry. */
export function PictureUpload({ file, onDone, onEnd, onChoose }: Props) {
  const [steps] = useState(() => pictureSteps(file));
  const [snapshot, send] = useMachine(uploadMachine, { input: { steps, bytes: file.size } });
  const ends = useRef({ onDone, onEnd });
  useEffect(() => {
    ends.current = { onDone, onEnd };
  }, [onDone, onEnd]);
  const isDone = snapshot.matches("done");
  const isCancelled = snapshot.matches("cancelled");
  useEffect(() => {
    if (isDone) ends.current.onDone();
    if (isCancelled) ends.current.onEnd();
  }, [isDone, isCancelled]);
  const { sent, failure } = snapshot.context;
  const cancel = (
    <Button look="quiet" onClick={() => send({ type: "cancel" })}>
      Cancel
    </Button>
  );
  if (snapshot.matches("failed"))
    return (
      <>
        <FormNotice problem={failure?.message ?? null} stamp={0} />
        <div className={styles.row}>
          {failure?.final === true ? (
            <Button look="edge" onClick={onChoose}>
              Choose another
            </Button>
          ) : (
            <Button look="edge" onClick={() => send({ type: "retry" })}>
              Retry
            </Button>
          )}
          {cancel}
        </div>
      </>
    );
  const words = snapshot.matches("offline")
    ? "Waits for a connection"
    : snapshot.matches("settling")
      ? "Uploaded, being prepared"
      : `${bytesWords(Math.min(sent, file.size))} of ${bytesWords(file.size)}`;
  return (
    <>
      <Progress label={`Uploading ${file.name}`} value={sent} most={file.size} words={words} />
      {cancel}
    </>
  );
}

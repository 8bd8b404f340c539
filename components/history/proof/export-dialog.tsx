"use client";

import { Download } from "lucide-react";
import { useEffect, useRef } from "react";
import { numberWords } from "@/events/core/text/number-words";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { Progress } from "@/components/ui/progress";
import { useExport } from "./use-export";
import type { ExportInput } from "./use-export";
import styles from "./proof.module.css";

type Props = ExportInput & {
  /** The newest known version, to which the progress is relative. */
  version: number;
  onClose: () => void;
};

function sizeWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Exports a document with its whole history as one file. */
export function ExportDialog({ version, onClose, ...input }: Props) {
  const { exported, begin, cancel } = useExport(input);
  const link = useRef<HTMLAnchorElement>(null);
  const { state } = exported;
  useEffect(() => {
    if (state === "done") link.current?.click();
  }, [state]);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Export"
      description={
        "One file with everything: the text, every event of its history with who wrote what " +
        "and when, and a page that plays and checks the history without a server."
      }
    >
      {state === "idle" && (
        <ul className={styles.contents}>
          <li>The text as Markdown, HTML and JSON, with its images and files</li>
          <li>The whole history, deleted words included, with names and hashes</li>
          <li>A stand-alone player and verifier</li>
        </ul>
      )}
      {state === "reading" && (
        <Progress
          label="Reading the history"
          value={exported.version}
          most={Math.max(version, exported.version)}
          words={
            `Reading ${numberWords(exported.version)} of ` +
            `${numberWords(Math.max(version, exported.version))} ` +
            "events"
          }
        />
      )}
      {state === "fetching" && (
        <Progress
          label="Reading the files"
          value={exported.done}
          most={exported.files}
          words={`Reading ${numberWords(exported.done)} of ${numberWords(exported.files)} files`}
        />
      )}
      {state === "packing" && <Progress label="Packing" value={null} most={1} words="Packing" />}
      {state === "failed" && (
        <p role="alert">
          The history could not be read, so nothing was saved. Try again when you are back online.
        </p>
      )}
      {state === "nothing" && (
        <p role="alert">
          You were given no event of this document, so there is nothing to export: its history is
          not shown to you, or you have no access to it any more.
        </p>
      )}
      {state === "done" && (
        <p role="status">
          Saved as “{exported.name}”, {sizeWords(exported.bytes)}. Whoever has the file can read all
          of the history.
          {exported.absent.length > 0 &&
            ` ${numberWords(exported.absent.length)} of its images and files ` +
              "could not be read or did not fit, and are not in it."}
        </p>
      )}
      <DialogActions>
        {state === "done" ? (
          <>
            <a
              ref={link}
              className={buttonClass({ look: "edge" })}
              href={exported.url}
              download={exported.name}
            >
              <Icon of={Download} />
              Save again
            </a>
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </>
        ) : state === "reading" || state === "fetching" || state === "packing" ? (
          <Button look="edge" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <>
            <Button look="edge" onClick={onClose}>
              Cancel
            </Button>
            <Button look="primary" onClick={begin}>
              <Icon of={Download} />
              {state === "failed" ? "Try again" : "Export"}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

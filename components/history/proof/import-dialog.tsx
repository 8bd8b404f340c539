"use client";

import { FileUp, ShieldCheck } from "lucide-react";
import { useRef, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { isolated } from "@/events/core/text/isolated";
import { numberWords } from "@/events/core/text/number-words";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import type { Clock } from "@/components/ui/time/use-clock";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { onDemand } from "@/components/loading/on-demand";
import { Progress } from "@/components/ui/progress";
import { useImport } from "./use-import";
import styles from "./proof.module.css";

type Props = {
  store: Backend["store"];
  workspaceId: string;
  clock: Clock;
  onImported: (id: string) => void;
  onClose: () => void;
};

const FilesImport = onDemand(() => import("./files-import").then((module) => module.FilesImport));

/** Whether a zip is a bundle. The list of files at its end decides. */
async function isBundle(file: File): Promise<boolean> {
  const end = await file.slice(Math.max(0, file.size - 70_000)).text();
  return end.includes("events.ndjson") && end.includes("people.json");
}

const list = new Intl.ListFormat("en-GB");

/** Imports an exported document. This browser verifies the file before any of it is sent. */
export function ImportDialog({ store, workspaceId, clock, onImported, onClose }: Props) {
  const { step, choose, confirm, goOn, restart } = useImport(store, workspaceId, onImported);
  const field = useRef<HTMLInputElement>(null);
  /** The chosen file, if it is not a bundle. */
  const [other, setOther] = useState<File | null>(null);
  const take = async (file: File) => {
    const ours = await isBundle(file).catch(() => false);
    setOther(ours ? null : file);
    if (ours) await choose(file);
    else restart();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import"
      description={
        "Markdown, HTML, Word, a .zip of them as Notion, Outline and Google Docs export it, or a " +
        "document with its history. The file is read in your browser."
      }
    >
      <input
        ref={field}
        type="file"
        accept=".md,.markdown,.txt,.html,.htm,.docx,.zip"
        aria-label="File to import"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void take(file);
          // Lets the same file be chosen again.
          target.value = "";
        }}
      />
      {other !== null ? (
        <FilesImport
          key={`${other.name} ${other.lastModified} ${other.size}`}
          file={other}
          store={store}
          workspaceId={workspaceId}
          onImported={onImported}
          onChange={() => field.current?.click()}
          onClose={onClose}
        />
      ) : (
        <>
          {step.state === "checking" && (
            <Progress
              label="Checking the file"
              value={step.done}
              most={step.events}
              words={`Checking ${numberWords(step.done)} of ${numberWords(step.events)} events`}
            />
          )}
          {step.state === "importing" && (
            <Progress label="Importing" value={step.done} most={step.parts} words="Importing" />
          )}
          {step.state === "failed" && (
            <p role="alert" className={styles.refused}>
              Nothing was imported. {step.why}
            </p>
          )}
          {step.state === "stopped" && (
            <p role="alert" className={styles.refused}>
              Only a part of the document is imported so far. {step.why} The rest is still in{" "}
              {step.begun ? "this tab and in " : ""}your file.
            </p>
          )}
          {step.state === "checked" && (
            <Preview checked={step.checked} stepwise={step.plan.stepwise} clock={clock} />
          )}
          <DialogActions>
            <Button look="edge" onClick={step.state === "checked" ? restart : onClose}>
              {step.state === "checked" ? "Back" : "Cancel"}
            </Button>
            {step.state === "checked" ? (
              <Button look="primary" onClick={() => void confirm(step.plan, step.checked)}>
                Import
              </Button>
            ) : step.state === "stopped" ? (
              step.begun && (
                <Button look="primary" onClick={() => step.begun && void goOn(step.begun)}>
                  Import the rest
                </Button>
              )
            ) : (
              <Button
                look="primary"
                busy={step.state === "checking" || step.state === "importing"}
                onClick={() => field.current?.click()}
              >
                <Icon of={FileUp} />
                {step.state === "failed" ? "Choose another file" : "Choose a file"}
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** Formats a list of file names. Only three are named. */
function named(names: readonly string[]): string {
  const rest = names.length - 3;
  return list.format([
    ...names.slice(0, 3).map((name) => `“${isolated(name)}”`),
    ...(rest > 0 ? [`${numberWords(rest)} more`] : []),
  ]);
}

function filesWords({ bundle: { attachments }, absent }: CheckedBundle): string {
  const held = attachments.map(({ name }) => name);
  const comes =
    held.length === 0
      ? ""
      : `${held.length === 1 ? "An image or file comes" : `${numberWords(held.length)} images and files come`} ` +
        `with it, each as its event says: ${named(held)}. `;
  return absent.length === 0
    ? comes
    : `${comes}Not in the file: ${named(absent)}. Where they stood, the text shows that they are missing.`;
}

function Preview({
  checked,
  stepwise,
  clock,
}: {
  checked: CheckedBundle;
  stepwise: boolean;
  clock: Clock;
}) {
  const { bundle, redacted } = checked;
  const { document, exported, events } = bundle.manifest;
  const files = filesWords(checked);
  const when = Number.isNaN(Date.parse(exported.at)) ? exported.at : dateTimeOf(exported.at, clock);
  return (
    <div className={styles.sound} role="status">
      <Icon of={ShieldCheck} />
      <div>
        <p className={styles.found}>“{document.title}”</p>
        <p>
          {numberWords(events)} events by {list.format(bundle.people.map(({ name }) => name))},
          exported by {exported.by.name}, {when}. They hold together, and give this text.
          {redacted.length > 0 && ` ${numberWords(redacted.length)} redacted.`}
        </p>
        {files !== "" && <p>{files}</p>}
        <p>
          {stepwise
            ? "The new document brings this history with it: its film plays every step at its own " +
              "time, with comments and named versions, under the names in the file, each marked as " +
              "imported."
            : "This history is too long to be brought along. The new document begins with its " +
              "text, and says that it was imported, from where and who wrote it, by name; the " +
              "steps stay in the file."}
        </p>
      </div>
    </div>
  );
}

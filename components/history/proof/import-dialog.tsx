"use client";

import { FileUp, ShieldCheck } from "lucide-react";
import { useRef } from "react";
import type { Backend } from "@/events/backend/backend";
import { dateTimeOf } from "@/components/ui/day-words";
import { numberWords } from "@/events/core/number-words";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import type { Clock } from "@/components/ui/use-clock";
import type { CheckedBundle } from "@/events/proof/bundle-check";
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

const list = new Intl.ListFormat("en-GB");

/** Begins a document with one that was exported: the file is checked here before anything of it is taken. */
export function ImportDialog({ store, workspaceId, clock, onImported, onClose }: Props) {
  const { step, choose, confirm, goOn, restart } = useImport(store, workspaceId, onImported);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import"
      description={
        "Begins a new document with one that was exported from Palimpsest. The file is " +
        "checked first, in your browser."
      }
    >
      <input
        ref={field}
        type="file"
        accept=".zip,application/zip"
        aria-label="Exported document"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void choose(file);
          // The same file may be chosen again.
          target.value = "";
        }}
      />
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
          The document was begun, but only a part of it is in it yet. {step.why} The rest is still
          in {step.begun ? "this tab and in " : ""}your file.
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
          <Button look="primary" onClick={() => void confirm(step.plan)}>
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
    </Dialog>
  );
}

function Preview({
  checked: { bundle, redacted },
  stepwise,
  clock,
}: {
  checked: CheckedBundle;
  stepwise: boolean;
  clock: Clock;
}) {
  const { document, exported, events } = bundle.manifest;
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

"use client";

import { Copy, FilePlus2, RotateCcw, TriangleAlert, Undo2 } from "lucide-react";
import { useState } from "react";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { onDemand } from "@/components/loading/on-demand";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/clipboard/clipboard";
import { Icon } from "@/components/ui/icon";

const SaveElsewhere = onDemand(() =>
  import("@/components/document/unsent/save-elsewhere").then((module) => module.SaveElsewhere),
);

type Props = {
  access: "write" | "read" | "none";
  trashed: boolean;
  status: SyncStatus | null;
  live: LiveDocument | null;
  userId: string;
  /** Receives whether copying the unsaved text succeeded. */
  onCopied: (done: boolean) => void;
};

/** The page keeps the changes, and records them if the document is restored. */
const trashedWords =
  "This document is in the trash, so your last changes can’t be saved in it. They are kept " +
  "here: copy them, save them as a new document, or restore this one.";

/** Whether the page has changes that cannot be saved as they are. */
export const isUnsaved = ({ label, action }: SyncStatus): boolean =>
  label === "Not saved" && action !== "sign-in";

/** Shows the unsaved changes, and offers ways to keep their text. */
export function UnsavedNotice({ access, trashed, status, live, userId, onCopied }: Props) {
  const [unsavedText, setUnsavedText] = useState<string | null>(null);
  const [, setDrawn] = useState(0);
  const copy = () => {
    void copyText(live?.unsavedText() ?? "").then((done) => {
      if (done) live?.forgetOrphaned();
      onCopied(done);
    });
  };
  // Waits until the device has stored the changes, because the page is left right after.
  const letGoAndClose = async () => {
    if (access === "write" && status?.action !== "move") live?.forgetOrphaned();
    // The new document lacks text that was typed, or taken over from another tab, after the dialog
    // was opened.
    else if (live?.unsavedText() === unsavedText || unsavedText === null) live?.letGo();
    await live?.close();
  };
  const discard = () => {
    // Words typed since the button was rendered must be offered first.
    if (live === null || live.unsavedText().trim() !== "") setDrawn((times) => times + 1);
    else void letGoAndClose().then(() => location.reload());
  };
  const unsaved = status !== null && isUnsaved(status);
  const moves = unsaved && status.action === "move" && live !== null;
  // Changes of formatting alone have no words to save elsewhere.
  const wordless = moves && live.unsavedText().trim() === "";
  return (
    <>
      {status !== null && unsaved && (
        <Banner
          tone="bad"
          icon={TriangleAlert}
          actions={
            status.action !== null && (
              <>
                {(status.action === "retry" || status.action === "move") && (
                  <Button look="edge" onClick={() => live?.sync.send({ type: "retry" })}>
                    <Icon of={RotateCcw} />
                    Retry
                  </Button>
                )}
                {!wordless && (
                  <Button look="edge" onClick={copy}>
                    <Icon of={Copy} />
                    Copy my changes
                  </Button>
                )}
                {(status.action === "copy" || moves) && live !== null && !wordless && (
                  <Button look="edge" onClick={() => setUnsavedText(live.unsavedText())}>
                    <Icon of={FilePlus2} />
                    Save as new document
                  </Button>
                )}
                {wordless && (
                  <Button look="edge" onClick={discard}>
                    <Icon of={Undo2} />
                    Discard my changes
                  </Button>
                )}
              </>
            )
          }
        >
          {trashed && access === "read" ? trashedWords : status.sentence}
        </Banner>
      )}
      {unsavedText !== null && (
        <SaveElsewhere
          text={unsavedText}
          userId={userId}
          onClose={() => setUnsavedText(null)}
          onSaved={letGoAndClose}
        />
      )}
    </>
  );
}

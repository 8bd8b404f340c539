"use client";

import {
  ArchiveRestore,
  CloudOff,
  Copy,
  Eye,
  FilePlus2,
  Gauge,
  LockKeyhole,
  RefreshCw,
  RotateCcw,
  Trash2,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { useState } from "react";
import { isolated } from "@/events/core/text/isolated";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { copyText } from "@/components/ui/clipboard/clipboard";
import type { Unreadable } from "@/components/editor/binding/content-guard";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { onDemand } from "@/components/loading/on-demand";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import styles from "./document.module.css";

const SaveElsewhere = onDemand(() =>
  import("@/components/document/unsent/save-elsewhere").then((module) => module.SaveElsewhere),
);

type Props = {
  /** The reader's access, and whether it was higher when the page was opened. */
  access: "write" | "read" | "none";
  lowered: boolean;
  /** Whether a reader who may not edit may comment. */
  comments: boolean;
  trashed: boolean;
  /**
   * The title of the ancestor with which it was moved to the trash; null when it was moved itself.
   */
  trashedWith: string | null;
  unreadable: Unreadable | null;
  /** The used share of the document's capacity, from 0 to 1. */
  fullness: number;
  status: SyncStatus | null;
  live: LiveDocument | null;
  userId: string;
  onRestore: (() => void) | null;
  /** Receives whether copying the unsaved text succeeded. */
  onCopied: (done: boolean) => void;
};

const unreadableWords: Record<Unreadable, string> = {
  newer:
    "Somebody edited this document with a newer version of the app than this page has. " +
    "Reload to get it and go on writing. Nothing is lost; if you still see this " +
    "afterwards, the server is being updated.",
  malformed:
    "Part of this document is in a form that can’t be edited here. It’s read-only, " +
    "nothing is lost; in History you can restore an earlier moment.",
};

/** The share of the capacity from which a notice warns. */
const nearlyFull = 0.9;

/** The page still holds the changes; a restored document records them. */
const trashedWords =
  "This document is in the trash, so your last changes can’t be saved in it. They are kept " +
  "here: copy them, save them as a new document, or restore this one.";

function readWords(lowered: boolean, comments: boolean): string {
  const may = comments
    ? "You can read this document and comment on it"
    : "You can read this document";
  if (lowered) return `${may} but no longer edit it.`;
  return `${may} but not edit it. Ask an owner of the workspace if you need to.`;
}

/** The problems of a document: why it cannot be edited, what is not saved, and what to do. */
export function Notices({
  access,
  lowered,
  comments,
  trashed,
  trashedWith,
  unreadable,
  fullness,
  status,
  live,
  userId,
  onRestore,
  onCopied,
}: Props) {
  const [unsavedText, setUnsavedText] = useState<string | null>(null);
  const [, setDrawn] = useState(0);
  const copy = () => {
    void copyText(live?.unsavedText() ?? "").then((done) => {
      if (done) live?.forgetOrphaned();
      onCopied(done);
    });
  };
  // Waits for the device, because the page is left right after.
  const letGoAndClose = async () => {
    if (access === "write" && status?.action !== "move") live?.forgetOrphaned();
    // Text typed, or taken over from another tab, since the dialog was opened is not in the new
    // document.
    else if (live?.unsavedText() === unsavedText || unsavedText === null) live?.letGo();
    await live?.close();
  };
  const discard = () => {
    // Words typed since the button was rendered are offered first.
    if (live === null || live.unsavedText().trim() !== "") setDrawn((times) => times + 1);
    else void letGoAndClose().then(() => location.reload());
  };
  const unsaved = status !== null && status.label === "Not saved" && status.action !== "sign-in";
  const moves = unsaved && status.action === "move" && live !== null;
  // Formatting alone has no words to save elsewhere.
  const wordless = moves && live.unsavedText().trim() === "";
  // Also when everything is saved but the browser cannot store it on the device.
  const warned = (status?.label === "Offline" || status?.tone === "warning") && access !== "none";
  return (
    <div className={classNames(styles.notices, unsaved && styles.urgent)}>
      {access === "none" && (
        <Banner second tone="warn" icon={LockKeyhole}>
          You no longer have access to this document. What you saved is kept in it; nothing more
          reaches this page.
        </Banner>
      )}
      {access === "read" && !trashed && (
        <Banner second icon={Eye}>
          {readWords(lowered, comments)}
        </Banner>
      )}
      {trashed && access !== "none" && (
        <Banner
          second
          icon={Trash2}
          actions={
            onRestore !== null && (
              <Button look="edge" onClick={onRestore}>
                <Icon of={ArchiveRestore} />
                Restore
              </Button>
            )
          }
        >
          {trashedWith === null
            ? "This document is in the trash."
            : `This document is in the trash, with “${isolated(trashedWith)}” in which it stands.`}{" "}
          It can be read and restored, not written.
        </Banner>
      )}
      {fullness >= nearlyFull && access === "write" && (
        <Banner second tone="warn" icon={Gauge}>
          {fullness >= 1
            ? "This document is full"
            : `This document is almost full (${Math.floor(fullness * 100)}%)`}
          . Delete text that is no longer needed, or continue in a new document. Nothing in it is
          lost.
        </Banner>
      )}
      {unreadable !== null && (
        <Banner
          second
          tone="warn"
          icon={TriangleAlert}
          actions={
            unreadable === "newer" && (
              <Button look="edge" onClick={() => location.reload()}>
                <Icon of={RefreshCw} />
                Reload
              </Button>
            )
          }
        >
          {unreadableWords[unreadable]}
        </Banner>
      )}
      {warned && (
        <Banner second tone="warn" icon={CloudOff}>
          {status.sentence}
        </Banner>
      )}
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
    </div>
  );
}

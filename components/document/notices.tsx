"use client";

import {
  ArchiveRestore,
  CloudOff,
  Eye,
  Gauge,
  LockKeyhole,
  RefreshCw,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { isolated } from "@/events/core/text/isolated";
import type { SyncStatus } from "@/machines/sync/sync-status";
import type { Unreadable } from "@/components/editor/binding/content-guard";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import styles from "./document.module.css";
import { isUnsaved } from "./unsaved-notice";

type Props = {
  /** The reader's access. `lowered` is true if it was higher when the page was opened. */
  access: "write" | "read" | "none";
  lowered: boolean;
  /** Whether a reader who may not edit may comment. */
  comments: boolean;
  trashed: boolean;
  /**
   * The title of the ancestor that was moved to the trash with this document in it. Null if the
   * document itself was moved.
   */
  trashedWith: string | null;
  unreadable: Unreadable | null;
  /** The used share of the document's capacity, from 0 to 1. */
  fullness: number;
  status: SyncStatus | null;
  onRestore: (() => void) | null;
  /** The notice about unsaved changes. */
  children: ReactNode;
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

/** The used share of the capacity at which a notice warns. */
const nearlyFull = 0.9;

function readWords(lowered: boolean, comments: boolean): string {
  const may = comments
    ? "You can read this document and comment on it"
    : "You can read this document";
  if (lowered) return `${may} but no longer edit it.`;
  return `${may} but not edit it. Ask an owner of the workspace if you need to.`;
}

/** Shows the problems of a document: why it cannot be edited, and what to do. */
export function Notices({
  access,
  lowered,
  comments,
  trashed,
  trashedWith,
  unreadable,
  fullness,
  status,
  onRestore,
  children,
}: Props) {
  // A warning tone also means that the browser cannot store edits on the device.
  const warned = (status?.label === "Offline" || status?.tone === "warning") && access !== "none";
  return (
    <div
      className={classNames(styles.notices, status !== null && isUnsaved(status) && styles.urgent)}
    >
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
      {children}
    </div>
  );
}

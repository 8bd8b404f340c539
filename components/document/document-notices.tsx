import { useState } from "react";
import type { Unreadable } from "@/components/editor/binding/content-guard";
import { onDemand } from "@/components/loading/on-demand";
import { useBackend } from "@/components/session/backend-provider";
import { uncopied } from "@/components/ui/clipboard/clipboard";
import { useToast } from "@/components/ui/toast";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { SyncStatus } from "@/machines/sync/sync-status";
import styles from "./document.module.css";
import { Notices } from "./notices";
import { UnsavedNotice } from "./unsaved-notice";

const ImportNotice = onDemand(() =>
  import("@/components/history/proof/import-notice").then((module) => module.ImportNotice),
);
const ForkNotice = onDemand(() =>
  import("@/components/history/fork/fork-notice").then((module) => module.ForkNotice),
);
const CatchUp = onDemand(() =>
  import("@/components/history/analysis/news/catch-up").then((module) => module.CatchUp),
);

type Props = {
  row: WorkspaceDocument;
  live: LiveDocument | null;
  /** The newest version that the page has seen. */
  version: number;
  access: "write" | "read" | "none";
  mayComment: boolean;
  mayRestore: boolean;
  /** Whether the editor shows the text. */
  hasEditor: boolean;
  unreadable: Unreadable | null;
  /** The used share of the document's capacity, from 0 to 1. */
  fullness: number;
  status: SyncStatus | null;
};

/** Shows the notices above a document: news, why it cannot be edited, and its origin. */
export function DocumentNotices({
  row,
  live,
  version,
  access,
  mayComment,
  mayRestore,
  hasEditor,
  unreadable,
  fullness,
  status,
}: Props) {
  const { people, me, clock, documentCommands } = useWorkspace(
    "people",
    "me",
    "clock",
    "documentCommands",
  );
  const outer = useDocumentRow(row.trashedIn ?? "") ?? null;
  const backend = useBackend();
  const toast = useToast();
  const [firstAccess] = useState(access);
  return (
    <>
      {live !== null && backend !== null && access !== "none" && (
        <div className={styles.notices}>
          <CatchUp
            documentId={row.id}
            userId={me.userId}
            backend={backend}
            live={live}
            people={people}
            clock={clock}
          />
        </div>
      )}
      <Notices
        access={access}
        lowered={firstAccess === "write"}
        comments={mayComment}
        trashed={row.phase === "trashed"}
        trashedWith={outer && (outer.title || "Untitled")}
        unreadable={unreadable}
        fullness={fullness}
        status={status}
        onRestore={mayRestore ? () => void documentCommands.restore(row.id) : null}
      >
        <UnsavedNotice
          access={access}
          trashed={row.phase === "trashed"}
          status={status}
          live={live}
          userId={me.userId}
          onCopied={(done) =>
            toast({
              text: done ? "Changes copied" : `${uncopied} Your changes are still in this tab.`,
            })
          }
        />
      </Notices>
      {row.forkedFrom !== null && row.forkedAt !== null && (
        <ForkNotice
          id={row.id}
          title={row.title || "Untitled"}
          parent={row.forkedFrom}
          version={row.forkedAt}
          mayWrite={access === "write"}
        />
      )}
      {row.forkedFrom === null && hasEditor && backend !== null && access !== "none" && (
        <ImportNotice documentId={row.id} store={backend.store} version={version} />
      )}
    </>
  );
}

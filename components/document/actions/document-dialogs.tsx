"use client";

import type { Editor } from "@tiptap/core";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { onDemand } from "@/components/loading/on-demand";
import { useBackend } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

const ShareDialog = onDemand(() =>
  import("@/components/sharing/share-dialog").then((module) => module.ShareDialog),
);
const VersionsDialog = onDemand(() =>
  import("@/components/history/versions/versions-dialog").then((module) => module.VersionsDialog),
);
const VerifyDialog = onDemand(() =>
  import("@/components/history/proof/verify-dialog").then((module) => module.VerifyDialog),
);
const IconDialog = onDemand(() =>
  import("../icon/icon-dialog").then((module) => module.IconDialog),
);
const MoveDialog = onDemand(() =>
  import("@/components/frame/documents/move-dialog").then((module) => module.MoveDialog),
);
const ExportDialog = onDemand(() =>
  import("@/components/history/proof/export-dialog").then((module) => module.ExportDialog),
);

const OutlineDialog = onDemand(() =>
  import("../outline/outline-dialog").then((module) => module.OutlineDialog),
);

/** The dialogs of a document's page. */
export type DocumentDialog =
  "share" | "versions" | "verify" | "export" | "icon" | "outline" | "move";

type Props = {
  dialog: DocumentDialog | null;
  documentId: string;
  /** The editor of the text, or null until it is created. */
  editor: Editor | null;
  title: string;
  /** Returns the shown text as the log has it. */
  shown: () => WholeState | null;
  /** The newest version that the page has seen. */
  version: number;
  mayName: boolean;
  icon: string | null;
  /** Sets the icon. Null if the reader may not. */
  onIcon: ((emoji: string | null) => void) | null;
  onClose: () => void;
};

/** Renders the open dialog of a document, if any. */
export function DocumentDialogs({
  dialog,
  documentId,
  editor,
  title,
  shown,
  version,
  mayName,
  icon,
  onIcon,
  onClose,
}: Props) {
  const backend = useBackend();
  const { people, me, clock } = useWorkspace("people", "me", "clock");
  switch (dialog) {
    case "move":
      return <MoveDialog documentId={documentId} onClose={onClose} />;
    case "share":
      return <ShareDialog open onOpenChange={(open) => !open && onClose()} document={title} />;
    case "versions":
      return (
        <VersionsDialog
          documentId={documentId}
          people={people}
          naming={mayName ? { at: version, when: null } : null}
          onClose={onClose}
        />
      );
    case "verify":
      return (
        backend && (
          <VerifyDialog
            backend={backend}
            documentId={documentId}
            shown={shown}
            version={version}
            clock={clock}
            onClose={onClose}
          />
        )
      );
    case "export":
      return (
        backend && (
          <ExportDialog
            backend={backend}
            documentId={documentId}
            title={title}
            version={version}
            people={people}
            me={me}
            onClose={onClose}
          />
        )
      );
    case "icon":
      return onIcon && <IconDialog icon={icon} onIcon={onIcon} onClose={onClose} />;
    case "outline":
      return editor && <OutlineDialog editor={editor} onClose={onClose} />;
    case null:
      return null;
  }
}

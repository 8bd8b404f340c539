"use client";

import { Trash2, Undo2 } from "lucide-react";
import { isolated } from "@/events/core/text/isolated";
import { Button } from "@/components/ui/button";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { useToast } from "@/components/ui/toast";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./trash-page.module.css";

type Props = { document: WorkspaceDocument; inside: number; onPurge: () => void };

/** Shows a document in the trash. */
export function TrashRow({ document, inside, onPurge }: Props) {
  const { documentCommands, people, me, clock, mayDocument } = useWorkspace(
    "documentCommands",
    "people",
    "me",
    "clock",
    "mayDocument",
  );
  const toast = useToast();
  const { id, icon, updatedBy, updatedAt } = document;
  const title = document.title || "Untitled";
  const who = updatedBy === me.userId ? "you" : isolated(people.get(updatedBy)?.name ?? "somebody");
  const restore = async () => {
    if (await documentCommands.restore(id)) toast({ text: `Restored “${isolated(title)}”` });
  };
  return (
    <li>
      <span className={styles.words}>
        <b>
          <DocumentIcon emoji={icon} /> {title}
        </b>
        <small>
          Moved here by {who}, {dateTimeOf(updatedAt, clock)}
          {inside > 0 && (inside === 1 ? ", with 1 document inside" : `, with ${inside} inside`)}
        </small>
      </span>
      {mayDocument("document.restored", document) && (
        <Button look="edge" aria-label={`Restore ${title}`} onClick={() => void restore()}>
          <Icon of={Undo2} />
          Restore
        </Button>
      )}
      {mayDocument("document.purged", document) && (
        <Button
          look="quiet"
          icon
          aria-label={`Delete permanently: ${title}`}
          title="Delete permanently"
          onClick={onPurge}
        >
          <Icon of={Trash2} />
        </Button>
      )}
    </li>
  );
}

"use client";

import { useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { Button } from "@/components/ui/button";
import { insideOf } from "@/machines/tree-rows";
import { useLongList } from "@/components/ui/screen/long-list";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import { TrashRow } from "./trash-row";
import styles from "./trash-page.module.css";

const PurgeDialog = onDemand(() => import("./purge-dialog").then((module) => module.PurgeDialog));

/**
 * Shows the trash: documents with the time and person of their removal. Documents can be restored,
 * and owners can delete them permanently.
 */
export function TrashPage() {
  const { documents, trashed, rest } = useWorkspace("documents", "trashed", "rest");
  // The document as it was when the dialog opened, because the dialog must outlive its row.
  const [purging, setPurging] = useState<WorkspaceDocument | null>(null);
  // A document that was trashed with an ancestor is restored with that ancestor.
  const moved = trashed.filter(({ trashedIn }) => trashedIn === null);
  const { shown, showMore, list } = useLongList(moved, { all: rest?.trashed });
  const children = insideOf([...documents, ...trashed]);
  const inside = (id: string): number =>
    (children.get(id) ?? []).reduce((sum, each) => sum + 1 + inside(each.id), 0);
  // If only the first rows are loaded, the contents of a document are unknown.
  const isWhole = rest === null;
  return (
    <div className={page.narrow}>
      <h1 className={page.heading}>Trash</h1>
      <p className={page.lead}>
        {moved.length > 0
          ? "A document that is restored comes back with its whole history and everything inside it. " +
            "Owners can delete one permanently."
          : "The trash is empty. Documents that are moved here keep their whole history and can be restored."}
      </p>
      <ul ref={list} className={styles.list} aria-label="Trash">
        {shown.map((document) => (
          <TrashRow
            key={document.id}
            document={document}
            inside={isWhole ? inside(document.id) : 0}
            onPurge={() => setPurging(document)}
          />
        ))}
      </ul>
      {showMore && (
        <Button look="edge" onClick={showMore}>
          Show more
        </Button>
      )}
      {purging && isWhole && (
        <PurgeDialog
          document={purging}
          inside={inside(purging.id)}
          onClose={() => setPurging(null)}
        />
      )}
    </div>
  );
}

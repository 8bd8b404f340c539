"use client";

import { Undo2 } from "lucide-react";
import { dateTimeOf } from "@/components/ui/day-words";
import { Button } from "@/components/ui/button";
import { DocumentIcon } from "@/components/ui/document-icon";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/long-list";
import { isolated } from "@/events/core/isolated";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import styles from "./trash-page.module.css";

/** What was moved to the trash, and the way back. */
export function TrashPage() {
  const { trashed, documentCommands, people, me, clock, mayDocument } = useWorkspace(
    "trashed",
    "documentCommands",
    "people",
    "me",
    "clock",
    "mayDocument",
  );
  const toast = useToast();
  const { shown, showMore, list } = useLongList(trashed);
  const restore = async (id: string, title: string) => {
    const restored = await documentCommands.restore(id);
    if (restored) toast({ text: `Restored “${isolated(title)}”` });
  };
  return (
    <div className={page.narrow}>
      <h1 className={page.heading}>Trash</h1>
      <p className={page.lead}>
        {trashed.length > 0
          ? "Nothing here is lost: a document that is restored comes back with its whole history."
          : "The trash is empty. Documents that are moved here keep their whole history and can be restored."}
      </p>
      <ul ref={list} className={styles.list} aria-label="Trash">
        {shown.map(({ id, title, icon, updatedBy, updatedAt, ...row }) => (
          <li key={id}>
            <span className={styles.words}>
              <b>
                <DocumentIcon emoji={icon} /> {title || "Untitled"}
              </b>
              <small>
                {updatedBy === me.userId ? "You" : (people.get(updatedBy)?.name ?? "Somebody")},{" "}
                {dateTimeOf(updatedAt, clock)}
              </small>
            </span>
            {mayDocument("document.restored", {
              ...row,
              id,
              title,
              icon,
              updatedBy,
              updatedAt,
            }) && (
              <Button
                look="edge"
                aria-label={`Restore ${title || "Untitled"}`}
                onClick={() => void restore(id, title || "Untitled")}
              >
                <Icon of={Undo2} />
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
      {showMore && (
        <Button look="edge" onClick={showMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

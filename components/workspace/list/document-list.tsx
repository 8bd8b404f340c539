"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { byDay } from "@/components/ui/day-words";
import { useLongList } from "@/components/ui/long-list";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { DocumentRow } from "./document-row";
import styles from "./document-list.module.css";

/** The live documents by recent change, under the days they were changed on. */
export function DocumentList() {
  const { documents, clock } = useWorkspace("documents", "clock");
  const [renaming, setRenaming] = useState<string | null>(null);
  const { shown, showMore, list } = useLongList(documents);
  const groups = byDay(shown, ({ updatedAt }) => updatedAt, clock);
  return (
    <>
      <ul ref={list} className={styles.list} aria-label="Documents">
        {groups.flatMap(({ heading, items }) =>
          items.map((document, at) => (
            <li key={document.id}>
              {at === 0 && <h2 className={styles.day}>{heading}</h2>}
              <DocumentRow
                document={document}
                ruled={at > 0}
                renaming={renaming === document.id}
                onRename={setRenaming}
              />
            </li>
          )),
        )}
      </ul>
      {showMore && (
        <Button look="edge" onClick={showMore}>
          Show more
        </Button>
      )}
    </>
  );
}

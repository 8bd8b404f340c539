"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useLongList } from "@/components/ui/screen/long-list";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { DocumentRow as Row } from "@/events/read-models/document-rows";
import { DocumentRow } from "./document-row";
import styles from "./document-list.module.css";

/** Lists the live documents by recent change, unread documents first. */
export function DocumentList() {
  const { documents, unread, personal, rest } = useWorkspace(
    "documents",
    "unread",
    "personal",
    "rest",
  );
  const news = documents.filter(({ id }) => unread.has(id));
  const others = documents.filter(({ id }) => !unread.has(id));
  const allNews = rest?.unread ?? news.length;
  return (
    <>
      {news.length > 0 && (
        <>
          <div className={styles.section}>
            <h2>Unread</h2>
            <span className={styles.count}>{allNews}</span>
            <button type="button" className={styles.all} onClick={personal.readAll}>
              Mark all as read
            </button>
          </div>
          <Rows label="Unread documents" documents={news} all={allNews} />
        </>
      )}
      {others.length > 0 && (
        <>
          <div className={styles.section}>
            <h2>Recently changed</h2>
          </div>
          <Rows
            label="Documents"
            documents={others}
            all={rest ? rest.live - rest.unread : others.length}
          />
        </>
      )}
    </>
  );
}

type RowsProps = { label: string; documents: readonly Row[]; all: number };

function Rows({ label, documents, all }: RowsProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const { shown, showMore, list } = useLongList(documents, { all });
  return (
    <>
      <ul ref={list} aria-label={label}>
        {shown.map((document) => (
          <li key={document.id}>
            <DocumentRow
              document={document}
              renaming={renaming === document.id}
              onRename={setRenaming}
            />
          </li>
        ))}
      </ul>
      {showMore && (
        <Button look="edge" onClick={showMore}>
          Show more
        </Button>
      )}
    </>
  );
}

"use client";

import { useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import styles from "./unread-dot.module.css";

/** Marks a document that others have changed since the person last read it. */
export function UnreadDot({ document }: { document: string }) {
  const unread = useWorkspaceValue((view) => view.unread.has(document));
  if (!unread) return null;
  return (
    <span className={styles.dot}>
      <span className="sr">, unread</span>
    </span>
  );
}

"use client";

import { useMemo } from "react";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import type { CommentThread } from "@/machines/comment-thread";
import { drafted } from "../drafts/use-compose";
import styles from "../threads.module.css";
import type { PassageHighlight } from "./passage-places";

type Input = {
  /** The threads to highlight, or null while no comments are shown. */
  threads: readonly CommentThread[] | null;
  active: string | null;
  /** The anchor of a new thread that is being written. */
  draft: Anchor | null;
};

/** Returns the highlights in the text for the shown threads and the new thread. */
export function useHighlights({ threads, active, draft }: Input): PassageHighlight[] {
  return useMemo(() => {
    if (threads === null) return [];
    const open = `${styles.noted} ${styles.open}`;
    const highlights = threads.map(({ id, anchor, resolved }) => {
      const quiet = resolved ? `${styles.noted} ${styles.quiet}` : styles.noted;
      return { id, anchor, className: (id === active ? open : quiet) ?? "" };
    });
    return draft ? [...highlights, { id: drafted, anchor: draft, className: open }] : highlights;
  }, [threads, active, draft]);
}

"use client";

import type { Editor } from "@tiptap/core";
import { useRef } from "react";
import { Dialog } from "@/components/ui/dialog";
import { goToHeading } from "./go-to-heading";
import { OutlineList } from "./outline-list";
import { useOutline } from "./use-outline";
import styles from "./outline.module.css";

type Props = { editor: Editor; onClose: () => void };

/** Shows the outline and the word count in a dialog, for pages without a margin. */
export function OutlineDialog({ editor, onClose }: Props) {
  const { entries, counts } = useOutline(editor);
  const chosen = useRef<number | null>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Outline"
      description={counts}
      place="sheet"
      onCloseAutoFocus={(event) => {
        if (chosen.current === null) return;
        event.preventDefault();
        goToHeading(editor, chosen.current);
      }}
    >
      {entries.length === 0 ? (
        <p className={styles.empty}>No headings yet. Type # and a space to make one.</p>
      ) : (
        <nav aria-label="Outline">
          <OutlineList
            entries={entries}
            current={null}
            onGo={(at) => {
              chosen.current = at;
              onClose();
            }}
          />
        </nav>
      )}
    </Dialog>
  );
}

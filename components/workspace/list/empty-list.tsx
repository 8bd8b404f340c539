"use client";

import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import styles from "./empty-list.module.css";

/** Shows one sentence and one action in place of an empty list. */
export function EmptyList({ onNew }: { onNew?: (() => void) | undefined }) {
  return (
    <div className={styles.blank}>
      <p>
        {onNew
          ? "Nothing is written here yet. Begin a document, and every word of it will be kept, " +
            "with who wrote it and when."
          : "Nothing is written here yet. Documents will stand here as soon as somebody begins one."}
      </p>
      {onNew && (
        <Button look="primary" onClick={onNew}>
          <Icon of={Plus} />
          New document
        </Button>
      )}
    </div>
  );
}

"use client";

import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { longestWorkspaceName } from "@/events/core/text/text-lengths";
import { normalizedName } from "@/events/core/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "@/components/frame/page-heading.module.css";

/** Shows the name of the workspace, which owners rename in place. */
export function WorkspaceName() {
  const { name, act, may } = useWorkspace("name", "act", "may");
  /** The name that the typed name replaces. */
  const [replaced, setReplaced] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const finished = useRef(false);
  const finish = (value: string | null) => {
    if (finished.current) return;
    finished.current = true;
    const newName = normalizedName(value ?? "");
    if (newName && replaced !== null && newName !== replaced)
      void act("workspace.renamed", { name: newName }, undefined, replaced);
    setReplaced(null);
    requestAnimationFrame(() => button.current?.focus());
  };
  if (replaced !== null)
    return (
      <div className={styles.name}>
        <input
          className={styles.field}
          aria-label="Name of the workspace"
          defaultValue={replaced}
          maxLength={longestWorkspaceName}
          autoFocus
          onFocus={(event) => event.target.select()}
          onBlur={(event) => finish(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter") finish(event.currentTarget.value);
            if (event.key === "Escape") finish(null);
          }}
        />
      </div>
    );
  return (
    <div className={styles.name}>
      <h1>{name}</h1>
      {may("workspace.renamed") && (
        <Button
          ref={button}
          look="quiet"
          icon
          className={styles.rename}
          aria-label="Rename the workspace"
          onClick={() => {
            finished.current = false;
            setReplaced(name);
          }}
        >
          <Icon of={Pencil} />
        </Button>
      )}
    </div>
  );
}

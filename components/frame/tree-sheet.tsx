"use client";

import { Dialog } from "@/components/ui/dialog";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./frame.module.css";
import { Tree } from "./tree";
import type { TreeProps } from "./tree";

type Props = TreeProps & { open: boolean; onOpenChange: (open: boolean) => void };

/** Scrolls the tree to the row of the open document. */
function showCurrent(nav: HTMLElement | null): void {
  nav?.querySelector("[role=treeitem][aria-current=page]")?.scrollIntoView({ block: "nearest" });
}

/** Shows the tree on a narrow screen, as a sheet over the page. */
export function TreeSheet({ open, onOpenChange, ...tree }: Props) {
  const { name } = useWorkspace("name");
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={name} place="start">
      <nav ref={showCurrent} className={styles.sheet} aria-label="Workspace">
        <Tree {...tree} inSheet onNavigate={() => onOpenChange(false)} />
      </nav>
    </Dialog>
  );
}

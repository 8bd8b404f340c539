"use client";

import { Menu as MenuIcon, PanelLeft } from "lucide-react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useCommands } from "@/components/commands/command-handlers";
import { onDemand } from "@/components/loading/on-demand";
import { setLayer } from "@/components/commands/open-layer";
import { isApple } from "@/components/ui/keyboard/apple";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { cycleLandmarks } from "./landmarks";
import { Tree } from "./tree";
import type { TreeProps } from "./tree";
import { toggleTree, useTreeOpen } from "./tree-state";
import styles from "./frame.module.css";

const TreeSheet = onDemand(() => import("./tree-sheet").then((module) => module.TreeSheet));

type Props = TreeProps & {
  /** The contents of the top bar. `Grow` pushes the following items to the end of the bar. */
  bar: ReactNode;
  children: ReactNode;
  /** A panel beside the page, such as comments or history. */
  aside?: ReactNode;
  /** A bar below the page, such as the player's control bar. */
  controlBar?: ReactNode;
  skip?: string;
};

/** The media query of screens without room for the tree beside the page. */
const treeInSheet = "(max-width: 1023px)";

/** Whether a key press opens the palette. The listener for all other shortcuts loads later. */
function asksForPalette(event: KeyboardEvent): boolean {
  const held = isApple() ? event.metaKey : event.ctrlKey;
  const alone = held && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  return (
    alone &&
    !event.defaultPrevented &&
    document.querySelector("[role=dialog][data-state=open]") === null
  );
}

/**
 * Renders the frame of every page of a workspace: tree, bar and sheet. F6 moves between landmarks,
 * and ⌘\ toggles the tree.
 */
export function Frame({ bar, children, aside, controlBar, skip = "Skip to text", ...tree }: Props) {
  const open = useTreeOpen();
  // Whether the sheet is open, or null until it is first opened.
  const [sheet, setSheet] = useState<boolean | null>(null);
  useCommands({
    sidebar: () => {
      if (matchMedia(treeInSheet).matches) setSheet((shown) => !shown);
      else toggleTree();
    },
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      if (asksForPalette(event)) {
        event.preventDefault();
        setLayer("palette");
      }
      // The past mounts two frames and shows one of them. The focus must move once.
      if (event.key !== "F6" || event.defaultPrevented) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      cycleLandmarks(event.shiftKey);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <div className={classNames(styles.frame, !open && styles.closed)}>
      <a className="skip" href="#main">
        {skip}
      </a>
      <nav className={styles.tree} aria-label="Workspace" data-landmark>
        <Tree {...tree} />
      </nav>
      <header className={styles.bar} data-landmark>
        <Button
          look="quiet"
          icon
          className={styles.phone}
          aria-label="Pages"
          aria-haspopup="dialog"
          onClick={() => setSheet(true)}
        >
          <Icon of={MenuIcon} />
        </Button>
        {!open && (
          <Button
            look="quiet"
            icon
            className={styles.desk}
            aria-label="Show sidebar"
            title="Show the tree (Ctrl \)"
            onClick={toggleTree}
          >
            <Icon of={PanelLeft} />
          </Button>
        )}
        {bar}
      </header>
      <main id="main" className={styles.main} tabIndex={-1} data-landmark>
        {children}
      </main>
      {aside}
      {controlBar && <div className={styles.controlBar}>{controlBar}</div>}
      {sheet !== null && <TreeSheet {...tree} open={sheet} onOpenChange={setSheet} />}
    </div>
  );
}

/** Fills the remaining room in a bar. */
export function Grow() {
  return <div className={styles.grow} />;
}

"use client";

import { Bookmark, Columns2, RotateCcw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { Tooltip } from "@/components/ui/tooltip";
import type { PlayerView } from "@/components/history/playback/player-view";
import styles from "./control-bar.module.css";

export type ControlBarActionsProps = {
  view: PlayerView;
  /** Restores the shown revision. Absent if the reader may not write. */
  onRestore?: (() => void) | undefined;
  /** Whether a restore is being prepared. */
  restoring?: boolean | undefined;
};

/**
 * Shows the actions on the shown revision. A button with a one-letter `aria-keyshortcuts` is also
 * pressed by that key.
 */
export function ControlBarActions({
  view: { other, run },
  onRestore,
  restoring,
}: ControlBarActionsProps) {
  const versions = onRestore ? "Name this version" : "Versions";
  return (
    <>
      <Tooltip text="Compare with another moment" detail="D" side="top">
        <Button
          look="quiet"
          className={styles.compare}
          aria-label="Compare"
          aria-pressed={other !== null}
          onClick={() => run({ type: "compare" })}
        >
          <Icon of={Columns2} />
          <span>Compare</span>
        </Button>
      </Tooltip>
      <Tooltip text={versions} detail="M" side="top">
        <Button
          look="quiet"
          className={classNames(styles.compare, styles.naming)}
          aria-label={versions}
          onClick={() => run({ type: "versions" })}
        >
          <Icon of={Bookmark} />
          <span>{versions}</span>
        </Button>
      </Tooltip>
      {onRestore && (
        <Button
          look="edge"
          className={styles.restore}
          aria-label="Restore this moment"
          busy={restoring}
          onClick={onRestore}
        >
          <Icon of={RotateCcw} />
          <span>
            Restore<span className={styles.tail}> this moment</span>
          </span>
        </Button>
      )}
    </>
  );
}

"use client";

import { ChartColumn, History, Link2, ShieldCheck } from "lucide-react";
import { memo } from "react";
import type { ReactNode } from "react";
import { shownOf, useReplayValue } from "@/components/history/playback/replay-context";
import { dateWords, inTrashAt } from "@/components/history/words/revision-words";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Tooltip } from "@/components/ui/tooltip";
import { numberWords } from "@/events/core/text/number-words";
import styles from "./player.module.css";

type Props = {
  /** The newest known version of the log. */
  liveVersion: number;
  /** The page's parts of the bar: `lead` before the date, and `here` with the people present. */
  lead: ReactNode;
  here: ReactNode;
  onCopyLink: (() => void) | null;
  /** Whether the analysis panel is open. */
  analysis: boolean;
  onAnalysis: (() => void) | null;
  onVerify: () => void;
  onBackToLive: () => void;
};

/** Shows the player's bar: the shown date, a link to it, and the return to the live text. */
export const PlayerBar = memo(function PlayerBar({
  liveVersion,
  lead,
  here,
  onCopyLink,
  analysis,
  onAnalysis,
  onVerify,
  onBackToLive,
}: Props) {
  const date = useReplayValue(({ context }) => {
    const timeline = shownOf(context);
    return timeline === null
      ? null
      : dateWords(timeline.timeOf(context.index), timeline.timeOf(timeline.length - 1));
  });
  const trashed = useReplayValue(
    ({ context: { open, index } }) => open !== null && inTrashAt(open.timeline, index),
  );
  const opened = useReplayValue(({ context }) => context.open?.timeline.version ?? null);
  // The number of versions recorded since the history was opened.
  const fresh = opened === null ? 0 : Math.max(0, liveVersion - opened);
  return (
    <>
      <div className={styles.chrome}>{lead}</div>
      <div className={styles.date} role="status">
        <Icon of={History} size={14} />
        {date ? (
          <span>
            <span className={styles.asItRead}>As it read on </span>
            {date}
            {trashed && ", in the trash"}
          </span>
        ) : (
          <span>The past</span>
        )}
      </div>
      <div className={styles.grow} />
      <div className={styles.chrome}>
        {here}
        {onCopyLink && (
          <Tooltip text="Copy link to this moment" detail="C">
            <Button
              look="quiet"
              className={styles.labelled}
              aria-label="Copy link to this moment"
              aria-keyshortcuts="C"
              onClick={onCopyLink}
            >
              <Icon of={Link2} />
              <span>Copy link</span>
            </Button>
          </Tooltip>
        )}
        <Tooltip text="Verify history">
          <Button
            look="quiet"
            className={styles.labelled}
            aria-label="Verify history"
            onClick={onVerify}
          >
            <Icon of={ShieldCheck} />
            <span>Verify history</span>
          </Button>
        </Tooltip>
      </div>
      {onAnalysis && (
        <Tooltip text="Statistics">
          <Button
            look="quiet"
            className={styles.labelled}
            aria-label="Statistics"
            aria-pressed={analysis}
            onClick={onAnalysis}
          >
            <Icon of={ChartColumn} />
            <span>Statistics</span>
          </Button>
        </Tooltip>
      )}
      <Button look="primary" onClick={onBackToLive}>
        Back to live {fresh > 0 && <span className={styles.fresh}>{numberWords(fresh)} new</span>}
      </Button>
    </>
  );
});

"use client";

import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { memo } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Tooltip } from "@/components/ui/tooltip";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useReplayValue } from "@/components/history/playback/replay-context";
import styles from "./control-bar.module.css";

/** Renders the buttons that play, step by edits, and jump between sessions. */
export function Transport({ timeline, playbackPath, playing, run }: PlayerView) {
  const atStart = useReplayValue(({ context }) => context.index <= playbackPath.first);
  const atEnd = useReplayValue(({ context }) => playbackPath.from(context.index + 1) === null);
  return (
    <Buttons
      atStart={atStart}
      atEnd={atEnd}
      empty={playbackPath.count === 0}
      sessions={timeline.timingMap.sessions.length > 1}
      playing={playing}
      run={run}
    />
  );
}

type ButtonsProps = Pick<PlayerView, "playing" | "run"> & {
  atStart: boolean;
  atEnd: boolean;
  empty: boolean;
  sessions: boolean;
};

const Buttons = memo(function Buttons({
  atStart,
  atEnd,
  empty,
  sessions,
  playing,
  run,
}: ButtonsProps) {
  return (
    <>
      {sessions && (
        <Step
          label="Previous session"
          keys="["
          icon={SkipBack}
          ends
          off={atStart}
          onStep={() => run({ type: "session", by: -1 })}
        />
      )}
      <Step
        label="Previous edit"
        keys=","
        icon={StepBack}
        off={atStart}
        onStep={() => run({ type: "step", by: -1 })}
      />
      <Tooltip text={playing ? "Pause" : "Play"} detail="Space" side="top">
        <Button
          look="primary"
          className={styles.play}
          aria-label={playing ? "Pause" : "Play"}
          aria-disabled={empty}
          onClick={() => run({ type: "toggle" })}
        >
          <Icon of={playing ? Pause : Play} />
        </Button>
      </Tooltip>
      <Step
        label="Next edit"
        keys="."
        icon={StepForward}
        off={atEnd}
        onStep={() => run({ type: "step", by: 1 })}
      />
      {sessions && (
        <Step
          label="Next session"
          keys="]"
          icon={SkipForward}
          ends
          off={atEnd}
          onStep={() => run({ type: "session", by: 1 })}
        />
      )}
    </>
  );
});

type StepProps = {
  label: string;
  keys: string;
  icon: LucideIcon;
  off: boolean;
  ends?: boolean;
  onStep: () => void;
};

function Step({ label, keys, icon, off, ends = false, onStep }: StepProps) {
  return (
    <Tooltip text={label} detail={keys} side="top">
      <Button
        look="quiet"
        icon
        className={ends ? styles.ends : undefined}
        aria-label={label}
        aria-disabled={off}
        onClick={onStep}
      >
        <Icon of={icon} />
      </Button>
    </Tooltip>
  );
}

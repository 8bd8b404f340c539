"use client";

import { FastForward } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { pauseWords } from "@/components/history/words/revision-words";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useReplayValue } from "@/components/history/playback/replay-context";
import styles from "./control-bar.module.css";

const leastShown = 10_000;
const readable = 1_200;

/** Shows the length of a skipped pause, long enough to be read. */
export function GapChip({ playbackPath, playing }: Pick<PlayerView, "playbackPath" | "playing">) {
  const pause = useReplayValue(({ context }) => {
    const after = playing ? playbackPath.pauseAfter(context.index) : 0;
    return after >= leastShown ? after : 0;
  });
  const [shown, setShown] = useState(0);
  if (pause > 0 && pause !== shown) setShown(pause);
  useEffect(() => {
    if (shown === 0) return;
    const over = setTimeout(() => setShown(0), readable);
    return () => clearTimeout(over);
  }, [shown]);
  return shown === 0 ? null : (
    <span className={styles.chip} title="A pause that was cut short">
      <Icon of={FastForward} size={14} />
      {pauseWords(shown)}
    </span>
  );
}

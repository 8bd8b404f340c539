"use client";

import { FastForward } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { pauseWords } from "@/components/history/words/revision-words";
import { type PlayerView } from "@/components/history/playback/player-view";
import styles from "./control-bar.module.css";

const leastShown = 10_000;
const readable = 1_200;

/** Says how long a pause was that playing passes over; it stays long enough to be read. */
export function GapChip({
  playbackPath,
  index,
  playing,
}: Pick<PlayerView, "playbackPath" | "index" | "playing">) {
  const pause = playing ? playbackPath.pauseAfter(index) : 0;
  const [shown, setShown] = useState(0);
  if (pause >= leastShown && pause !== shown) setShown(pause);
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

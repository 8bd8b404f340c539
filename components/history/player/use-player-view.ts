"use client";

import { useMemo } from "react";
import { type PlayerView } from "@/components/history/playback/player-view";

type Opened = Pick<PlayerView, "timeline" | "playbackPath">;
type Input = Omit<PlayerView, keyof Opened> & { open: Opened | null };

/**
 * What the parts of the player show, the same object until one of its fields changes; null until
 * the history is open.
 */
export function usePlayerView({
  open,
  authors,
  index,
  playing,
  speed,
  pacing,
  range,
  colours,
  other,
  axis,
  filter,
  markers,
  chapters,
  nameOf,
  run,
}: Input): PlayerView | null {
  return useMemo(
    () =>
      open && {
        ...open,
        authors,
        index,
        playing,
        speed,
        pacing,
        range,
        colours,
        other,
        axis,
        filter,
        markers,
        chapters,
        nameOf,
        run,
      },
    [
      open,
      authors,
      index,
      playing,
      speed,
      pacing,
      range,
      colours,
      other,
      axis,
      filter,
      markers,
      chapters,
      nameOf,
      run,
    ],
  );
}

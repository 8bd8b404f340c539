"use client";

import { memo } from "react";
import { Segmented } from "@/components/ui/forms/segmented";
import type { AxisKind } from "@/components/history/playback/timeline-axis";
import type { PlayerView } from "@/components/history/playback/player-view";

/** The scales of the timeline bar, with their labels. */
export const axisOptions: readonly { value: AxisKind; label: string }[] = [
  { value: "sessions", label: "Sessions" },
  { value: "time", label: "Time" },
  { value: "edits", label: "Edits" },
];

/** Lets the reader choose the scale of the timeline bar. */
export const AxisChoice = memo(function AxisChoice({
  axis,
  run,
}: Pick<PlayerView, "axis" | "run">) {
  return (
    <Segmented
      label="Axis"
      value={axis}
      options={axisOptions}
      onChange={(to) => run({ type: "axis", axis: to })}
    />
  );
});

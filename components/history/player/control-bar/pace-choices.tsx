"use client";

import { memo } from "react";
import type { Pacing } from "@/events/history/timeline/playback-path";
import { speeds } from "@/machines/replay/replay-opening";
import type { Speed } from "@/machines/replay/replay-opening";
import { Select } from "@/components/ui/forms/select";
import type { PlayerView } from "@/components/history/playback/player-view";
import styles from "./control-bar.module.css";

type Pace = "real" | "even" | "20" | "60" | "300";

/** The available paces with their labels. */
export const paceLabels: readonly { value: Pace; label: string; detail: string }[] = [
  { value: "real", label: "Real pace", detail: "As it was written, pauses cut short" },
  { value: "even", label: "Even pace", detail: "Every edit takes the same time" },
  { value: "20", label: "In 20 seconds", detail: "All of it, faster where needed" },
  { value: "60", label: "In 60 seconds", detail: "All of it, faster where needed" },
  { value: "300", label: "In 5 minutes", detail: "All of it, faster where needed" },
];

/** Returns the pacing of a pace that the reader chose. */
export function pacingOf(pace: Pace): Pacing {
  return pace === "real" || pace === "even"
    ? { kind: pace }
    : { kind: "within", ms: Number(pace) * 1000 };
}

/** Returns the menu's pace for a pacing. */
export function paceOf(pacing: Pacing): Pace {
  if (pacing.kind !== "within") return pacing.kind;
  return paceLabels.find(({ value }) => Number(value) * 1000 === pacing.ms)?.value ?? "60";
}

const speedOptions = speeds.map((speed) => ({
  value: `${speed}` satisfies `${Speed}`,
  label: `${speed}×`,
}));

/** Offers the playback speed: a factor, and the pace that the factor multiplies. */
export const SpeedChoices = memo(function SpeedChoices({
  speed,
  pacing,
  run,
}: Pick<PlayerView, "speed" | "pacing" | "run">) {
  return (
    <>
      <div className={styles.speed}>
        <Select
          label="Speed"
          value={`${speed}`}
          options={speedOptions}
          onChange={(value) =>
            run({ type: "speed", speed: speeds.find((each) => `${each}` === value) ?? 1 })
          }
        />
      </div>
      <div className={styles.speed}>
        <Select
          label="Pace"
          value={paceOf(pacing)}
          options={paceLabels}
          onChange={(pace) => run({ type: "pacing", pacing: pacingOf(pace) })}
        />
      </div>
    </>
  );
});

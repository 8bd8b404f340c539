"use client";

import { memo } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Axis } from "@/components/history/playback/timeline-axis";
import { ticksOf } from "./axis-labels";
import { pauseWords } from "@/components/history/words/revision-words";
import styles from "./timeline-bar.module.css";

const percent = (fraction: number) => `${fraction * 100}%`;
const leastLabelWidth = 38;

/** Shows the texts of the timeline bar: the lengths of the pauses, and the axis labels below. */
export const TimelineScale = memo(function TimelineScale({
  timeline,
  axis,
  width,
}: {
  timeline: Timeline;
  axis: Axis;
  width: number;
}) {
  return (
    <div className={styles.axis} aria-hidden>
      {axis.sessionTracks.slice(1).map((sessionTrack, before) => {
        const left = axis.sessionTracks[before]?.right ?? 0;
        return (
          <span
            key={sessionTrack.from}
            className={styles.break}
            style={{ left: percent(left), width: percent(sessionTrack.left - left) }}
          >
            {(sessionTrack.left - left) * width >= leastLabelWidth && (
              <span>{pauseWords(sessionTrack.pauseBefore)}</span>
            )}
          </span>
        );
      })}
      {/* On the scale of sessions, the chapters replace the labels. */}
      {axis.kind !== "sessions" &&
        ticksOf(timeline, axis, width).map(({ left, text, detail }) => (
          <time key={left} className={styles.tick} style={{ left: percent(left) }}>
            {text}
            {detail && <span>, {detail}</span>}
          </time>
        ))}
    </div>
  );
});

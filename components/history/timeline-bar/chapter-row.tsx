"use client";

import { memo, useMemo } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import type { Chapters } from "@/components/history/playback/chapters";
import { dateWords, timeWords } from "@/components/history/words/revision-words";
import type { PlayerView } from "@/components/history/playback/player-view";
import type { Axis } from "@/components/history/playback/timeline-axis";
import { chapterLabel, chapterPlaces } from "./timeline-chapters";
import { useRoving } from "@/components/ui/keyboard/use-roving";
import styles from "./timeline-bar.module.css";

type Props = Pick<PlayerView, "run"> & {
  timeline: Timeline;
  authors: readonly Person[];
  chapters: Chapters;
  /** The index of the shown chapter. */
  current: number;
  axis: Axis;
  width: number;
};

const percent = (fraction: number) => `${fraction * 100}%`;

/**
 * Shows the chapters on the timeline bar: a line at each beginning and, if there is room, a button
 * that leads there. The buttons are one tab stop, with arrow keys between them.
 */
export const ChapterRow = memo(function ChapterRow({
  timeline,
  authors,
  chapters: { by, all },
  current,
  axis,
  width,
  run,
}: Props) {
  const places = useMemo(() => {
    const nameOf = (author: number) => firstName(authors[author] ?? { name: "Somebody" });
    return chapterPlaces(
      all.map((chapter) => ({ chapter, ...chapterLabel(chapter, timeline, nameOf, by) })),
      axis,
      width,
    );
  }, [timeline, authors, all, by, axis, width]);
  const worded = places.filter(({ maxWidth }) => maxWidth > 0);
  const { row, stop, reach, onKeyDown } = useRoving(worded.length);
  // Between adjacent sessions, the break already serves as the line.
  const broken = new Set(axis.sessionTracks.map(({ from }) => from));
  return (
    <>
      <div className={styles.lines} aria-hidden>
        {places.map(
          ({ chapter: { from }, left }) =>
            !broken.has(from) && <i key={from} style={{ left: percent(left) }} />,
        )}
      </div>
      <div
        ref={row}
        className={styles.chapters}
        role="toolbar"
        aria-label="Chapters"
        data-own-arrows
        data-speaks
        onKeyDown={onKeyDown}
      >
        {worded.map(({ chapter, left, maxWidth, text, detail }, at) => {
          const time = timeline.timeOf(chapter.from);
          const begun = `${dateWords(time, timeline.timeOf(timeline.length - 1))}, ${timeWords(time)}`;
          return (
            <button
              key={chapter.from}
              type="button"
              className={styles.chapter}
              style={{ left: percent(left), maxInlineSize: maxWidth }}
              aria-label={`${[text, detail].filter((word) => word !== "").join(", ")}. Chapter from ${begun}`}
              aria-current={all[current] === chapter ? "step" : undefined}
              tabIndex={at === stop ? 0 : -1}
              onFocus={() => reach(at)}
              onClick={() => run({ type: "seek", index: chapter.from })}
            >
              {text}
              {detail && <span>, {detail}</span>}
            </button>
          );
        })}
      </div>
    </>
  );
});

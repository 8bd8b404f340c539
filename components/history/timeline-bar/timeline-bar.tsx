"use client";

import * as Slider from "@radix-ui/react-slider";
import { useMemo } from "react";
import { ComparedSpan } from "./compared-span";
import { chapterAt } from "@/components/history/playback/chapters";
import { ChapterRow } from "./chapter-row";
import { axisOf, pressedRevision } from "@/components/history/playback/timeline-axis";
import { TimelineCanvas } from "./timeline-canvas";
import { TimelineCard } from "./timeline-card";
import { authorRowsOf, barsOf } from "./author-rows";
import { AuthorRowNames } from "./author-names";
import { TimelineScale } from "./timeline-scale";
import { MarkerRow } from "./marker-row";
import { revisionWords } from "@/components/history/words/revision-words";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRevisionIndex } from "@/components/history/playback/replay-context";
import { useTimelineCard } from "./use-timeline-card";
import { useWidth } from "@/components/ui/screen/use-width";
import styles from "./timeline-bar.module.css";

const steps = 100_000;
const mostAuthorRows = 5;
// Radix keeps the whole thumb inside the track. This width compensates for that, so that the line
// stays at the revision.
const thumbWidth = 16;

/**
 * Returns the revision that is announced to screen readers during playback. The revision changes
 * about once a second and not on every frame.
 */
function spokenRevision({ playbackPath, playing, speed }: PlayerView, index: number): number {
  const second = 1000 * speed;
  return playing
    ? playbackPath.revisionAt(Math.floor(playbackPath.playedAt(index) / second) * second)
    : index;
}

/**
 * Shows the timeline bar of a history under one slider: author rows, sessions with the pauses
 * between them, and markers.
 */
export function TimelineBar(view: PlayerView) {
  const {
    timeline,
    playbackPath,
    authors,
    playing,
    range,
    other,
    axis: kind,
    markers,
    chapters,
    nameOf,
    run,
  } = view;
  const index = useRevisionIndex();
  const [stage, width] = useWidth();
  const wide = width >= 600;
  const axis = useMemo(() => axisOf(timeline, kind, width), [timeline, kind, width]);
  const authorRows = useMemo(() => authorRowsOf(timeline, mostAuthorRows), [timeline]);
  const bars = useMemo(
    () => barsOf(timeline, axis, authorRows, playbackPath, (wide ? 6 : 3) / width),
    [timeline, axis, authorRows, playbackPath, wide, width],
  );
  const colours = useMemo(
    () => authorRows.map(({ author }) => (author === null ? 10 : (authors[author]?.color ?? 10))),
    [authorRows, authors],
  );
  const position = axis.positionOf(index);
  const spokenIndex = spokenRevision(view, index);
  const revision = timeline.revision(spokenIndex);
  const revisionAt = (value: number) =>
    pressedRevision(axis, timeline.length - 1, value / steps, width);
  const { place, ...card } = useTimelineCard({ index, playing });
  const cardAt =
    place?.at === "pointer"
      ? { position: place.position, index: axis.revisionAt(place.position) }
      : { position, index };
  return (
    <div className={styles.timelineBar}>
      <AuthorRowNames authorRows={authorRows} authors={authors} />
      <div ref={stage} className={styles.stage} data-scale={kind !== "sessions" || undefined}>
        <MarkerRow
          timeline={timeline}
          axis={axis}
          width={width}
          markers={markers}
          nameOf={nameOf}
          run={run}
        />
        <Slider.Root
          className={styles.track}
          min={0}
          max={steps}
          value={[Math.round(position * steps)]}
          onValueChange={([value = 0]) => run({ type: "scrub", index: revisionAt(value) })}
          onValueCommit={() => run({ type: "scrubbed" })}
          {...card.track}
        >
          <TimelineCanvas
            axis={axis}
            bars={bars}
            colours={colours}
            head={position}
            range={range && { left: axis.positionOf(range.from), right: axis.positionOf(range.to) }}
            wide={wide}
            width={width}
          />
          <TimelineScale timeline={timeline} axis={axis} width={width} />
          {other !== null && <ComparedSpan at={axis.positionOf(other)} head={position} />}
          <Slider.Thumb
            className={styles.head}
            {...card.thumb}
            style={{ translate: `${thumbWidth * (position - 0.5)}px 0` }}
            aria-label="Moment"
            aria-valuemin={1}
            aria-valuemax={timeline.length}
            aria-valuenow={spokenIndex + 1}
            aria-valuetext={revisionWords(
              timeline,
              revision,
              authors[revision.author]?.name ?? "Somebody",
            )}
          />
          {place && (
            <TimelineCard
              timeline={timeline}
              authors={authors}
              {...cardAt}
              atHead={place.at === "head"}
              spoken={place.at === "head" && place.byKey}
            />
          )}
        </Slider.Root>
        <ChapterRow
          timeline={timeline}
          authors={authors}
          chapters={chapters}
          current={chapterAt(chapters.all, index)}
          axis={axis}
          width={width}
          run={run}
        />
      </div>
    </div>
  );
}

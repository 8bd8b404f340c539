"use client";

import { useMemo } from "react";
import type { PlaybackPath } from "@/events/history/timeline/playback-path";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Speed } from "@/machines/replay/replay-opening";
import type { Person } from "@/events/read-models/person";
import { chaptersOf } from "@/components/history/playback/chapters";
import { noFilter } from "@/components/history/playback/playback-filter";
import { TimelineBar } from "@/components/history/timeline-bar/timeline-bar";
import { dateWords, timeWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import type { PlayerCommand } from "@/components/history/playback/player-keys";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useReplayValue, useRevisionIndex } from "@/components/history/playback/replay-context";
import { Transport } from "./transport";
import { useAuthors } from "@/components/history/authors/use-authors";
import styles from "./control-bar.module.css";

type Props = {
  timeline: Timeline;
  playbackPath: PlaybackPath;
  playing: boolean;
  speed: Speed;
  members: readonly Person[];
  /** The number of versions. */
  newest: number;
  run: (command: PlayerCommand) => void;
};

const narrowest = 0.3;

/**
 * Shows the control bar while the rest of a history loads. The timeline bar of the prefix is as
 * wide as the loaded share.
 */
export function EarlyControlBar({
  timeline,
  playbackPath,
  playing,
  speed,
  members,
  newest,
  run,
}: Props) {
  const { people, authors } = useAuthors(timeline, members);
  const chapters = useMemo(() => chaptersOf(timeline, "pause"), [timeline]);
  const view: PlayerView = {
    timeline,
    playbackPath,
    authors,
    playing,
    speed,
    run,
    pacing: { kind: "real" },
    range: null,
    colour: "session",
    axis: "sessions",
    filter: noFilter,
    other: null,
    markers: [],
    chapters: { by: "pause", all: chapters },
    nameOf: (userId) => people.get(userId)?.name ?? "Somebody",
  };
  const share = Math.max(narrowest, Math.min(1, timeline.version / Math.max(1, newest)));
  return (
    <section className={styles.controlBar} aria-label="Player">
      <div style={{ inlineSize: `${share * 100}%` }}>
        <TimelineBar {...view} />
      </div>
      <div className={styles.keys} role="toolbar" aria-label="Playback" data-speaks>
        <Transport {...view} />
      </div>
      <Reading timeline={timeline} newest={newest} />
    </section>
  );
}

/** Shows the time of the shown revision, and how much of the history has loaded. */
function Reading({ timeline, newest }: { timeline: Timeline; newest: number }) {
  const time = timeline.timeOf(useRevisionIndex());
  const loaded = useReplayValue(({ context }) => context.loaded);
  return (
    <>
      <p className={styles.loading}>
        <b>{timeWords(time)}</b> {dateWords(time, timeline.timeOf(timeline.length - 1))}. The rest
        of the history is on its way: version {numberWords(loaded)} of {numberWords(newest)}.
      </p>
      <progress
        className={styles.buffered}
        aria-label="History read"
        value={Math.min(loaded, newest)}
        max={Math.max(1, newest)}
      />
    </>
  );
}

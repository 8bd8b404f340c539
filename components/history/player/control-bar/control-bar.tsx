"use client";

import type { RestoreRequest } from "@/events/revisions/restore";
import { firstName } from "@/events/read-models/person";
import { AxisChoice } from "@/components/history/timeline-bar/axis-choice";
import { ControlBarActions } from "./control-bar-actions";
import type { ControlBarActionsProps } from "./control-bar-actions";
import { ControlBarMenu } from "./control-bar-menu";
import { TimelineBar } from "@/components/history/timeline-bar/timeline-bar";
import { FilterMenu } from "./filter-menu";
import { GapChip } from "./gap-chip";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRevisionIndex } from "@/components/history/playback/replay-context";
import { dateWords, revisionWords, timeWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import { SpeedChoices } from "./pace-choices";
import { SelectionLine } from "./selection-line";
import { Transport } from "./transport";
import { useSpokenSteps } from "./use-spoken-steps";
import styles from "./control-bar.module.css";

type Props = ControlBarActionsProps & {
  onVerify: () => void;
  onRevert?: ((request: RestoreRequest) => void) | undefined;
  onRedact?: (() => void) | undefined;
};

/** Describes the shown revision in words. */
function useRevisionWords({ timeline, authors }: Pick<PlayerView, "timeline" | "authors">) {
  const index = useRevisionIndex();
  const revision = timeline.revision(index);
  return {
    revision,
    name: firstName(authors[revision.author] ?? { name: "Somebody" }),
    time: timeWords(revision.time),
    count: `${numberWords(index + 1)} of ${numberWords(timeline.length)}`,
  };
}

function SpokenSteps(view: PlayerView) {
  const { revision, name } = useRevisionWords(view);
  useSpokenSteps(revisionWords(view.timeline, revision, name), view.playing);
  return null;
}

function NowLine(view: PlayerView) {
  const { timeline } = view;
  const { revision, name, time, count } = useRevisionWords(view);
  return (
    <div className={styles.nowline}>
      <span>
        <b>{time}</b> {dateWords(revision.time, timeline.timeOf(timeline.length - 1))}, {name}
      </span>
      <GapChip {...view} />
      <span>{count}</span>
    </div>
  );
}

function Now(view: PlayerView) {
  const { name, time, count } = useRevisionWords(view);
  return (
    <div className={styles.now}>
      <b>{time}</b> {name}, edit {count}
    </div>
  );
}

/** Shows the timeline bar and the playback controls. */
export function PlayerControlBar({
  view,
  onRestore,
  restoring,
  onVerify,
  onRevert,
  onRedact,
}: Props) {
  const { speed, pacing, axis, run } = view;
  return (
    <section className={styles.controlBar} aria-label="Player">
      <SpokenSteps {...view} />
      <NowLine {...view} />
      <SelectionLine {...view} />
      <TimelineBar {...view} />
      <div className={styles.keys} role="toolbar" aria-label="Playback" data-speaks>
        <Transport {...view} />
        <Now {...view} />
        <div className={styles.gap}>
          <GapChip {...view} />
        </div>
        <div className={styles.grow} />
        <SpeedChoices speed={speed} pacing={pacing} run={run} />
        <div className={styles.axis}>
          <AxisChoice axis={axis} run={run} />
        </div>
        <div className={styles.filter}>
          <FilterMenu {...view} />
        </div>
        <ControlBarMenu
          view={view}
          mayWrite={onRestore !== undefined}
          onVerify={onVerify}
          onRevert={onRevert}
          onRedact={onRedact}
        />
        <ControlBarActions view={view} onRestore={onRestore} restoring={restoring} />
      </div>
    </section>
  );
}

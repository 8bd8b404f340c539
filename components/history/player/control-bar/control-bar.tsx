"use client";

import { type RestoreRequest } from "@/events/revisions/restore";
import { firstName } from "@/events/read-models/person";
import { AxisChoice } from "@/components/history/timeline-bar/axis-choice";
import { ControlBarActions, type ControlBarActionsProps } from "./control-bar-actions";
import { ControlBarMenu } from "./control-bar-menu";
import { TimelineBar } from "@/components/history/timeline-bar/timeline-bar";
import { FilterMenu } from "./filter-menu";
import { GapChip } from "./gap-chip";
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

/** The control bar: the timeline bar, and what plays it. */
export function PlayerControlBar({
  view,
  onRestore,
  restoring,
  onVerify,
  onRevert,
  onRedact,
}: Props) {
  const { timeline, authors, index, playing, speed, pacing, axis, run } = view;
  const revision = timeline.revision(index);
  const name = firstName(authors[revision.author] ?? { name: "Somebody" });
  const date = dateWords(revision.time, timeline.timeOf(timeline.length - 1));
  const count = `${numberWords(index + 1)} of ${numberWords(timeline.length)}`;
  useSpokenSteps(revisionWords(timeline, revision, name), playing);
  return (
    <section className={styles.controlBar} aria-label="Player">
      <div className={styles.nowline}>
        <span>
          <b>{timeWords(revision.time)}</b> {date}, {name}
        </span>
        <GapChip {...view} />
        <span>{count}</span>
      </div>
      <SelectionLine {...view} />
      <TimelineBar {...view} />
      <div className={styles.keys} role="toolbar" aria-label="Playback" data-speaks>
        <Transport {...view} />
        <div className={styles.now}>
          <b>{timeWords(revision.time)}</b> {name}, edit {count}
        </div>
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

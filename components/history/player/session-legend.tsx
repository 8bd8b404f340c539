"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { memo, useMemo } from "react";
import type { ReactNode } from "react";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { countedWords, spanWords } from "@/components/history/analysis/model/analysis-words";
import { useAnalysisQuery } from "@/components/history/analysis/model/use-analysis-query";
import { colours } from "@/components/history/playback/colour";
import type { Colour } from "@/components/history/playback/colour";
import type { PlayerCommand } from "@/components/history/playback/player-keys";
import { useReplayValue, useRevisionIndex } from "@/components/history/playback/replay-context";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Segmented } from "@/components/ui/forms/segmented";
import styles from "./session-legend.module.css";

type Props = {
  timeline: Timeline;
  people: ReadonlyMap<string, Person>;
  playing: boolean;
  colour: Colour;
  run: (command: PlayerCommand) => void;
};

/**
 * Shows the legend beside the title: the shown session, steps to the other sessions, the colours,
 * and each author's share.
 */
export const SessionLegend = memo(function SessionLegend({
  timeline,
  people,
  playing,
  colour,
  run,
}: Props) {
  const { sessions } = timeline.timingMap;
  const nth = useReplayValue(({ context }) => timeline.timingMap.sessionOf(context.index));
  const atStart = useReplayValue(({ context }) => context.index === 0);
  const session = sessions[nth] ?? { from: 0, to: timeline.length - 1 };
  const times = [session.from, session.to].map((revision) => timeline.timeOf(revision));
  const [from = 0, to = 0] = times;
  return (
    <div className={styles.legend} data-legend>
      <div className={styles.head}>
        <p>
          <b>
            Session {nth + 1} of {sessions.length}
          </b>
          <span>{spanWords(from, to, timeline.timeOf(timeline.length - 1))}</span>
        </p>
        <Step label="Earlier session" off={atStart} run={() => run({ type: "session", by: -1 })}>
          <Icon of={ChevronLeft} />
        </Step>
        <Step
          label="Later session"
          off={nth === sessions.length - 1}
          run={() => run({ type: "session", by: 1 })}
        >
          <Icon of={ChevronRight} />
        </Step>
      </div>
      <div className={styles.colour}>
        <span aria-hidden>Colour</span>
        <Segmented
          label="Colour"
          value={colour}
          options={colours}
          onChange={(next) => run({ type: "colour", colour: next })}
        />
      </div>
      {colour === "session" && !playing && (
        <Amounts timeline={timeline} people={people} from={session.from} />
      )}
    </div>
  );
});

type StepProps = { label: string; off: boolean; run: () => void; children: ReactNode };

function Step({ label, off, run, children }: StepProps) {
  return (
    <Button look="quiet" icon aria-label={label} title={label} aria-disabled={off} onClick={run}>
      {children}
    </Button>
  );
}

type AmountsProps = Pick<Props, "timeline" | "people"> & { from: number };

/** Shows the words that each author has added and deleted in the session so far. */
function Amounts({ timeline, people, from }: AmountsProps) {
  const to = useRevisionIndex();
  const viewModel = useMemo(
    () => ({ timeline, contentOrigin: contentOriginOf(timeline) }),
    [timeline],
  );
  const account = useAnalysisQuery(viewModel, {
    kind: "account",
    stretch: { after: from - 1, to },
  });
  const amounts = new Map<number, { added: number; removed: number }>();
  for (const { author, added, removed } of account?.answer ?? []) {
    const known = amounts.get(author) ?? { added: 0, removed: 0 };
    amounts.set(author, { added: known.added + added, removed: known.removed + removed });
  }
  return (
    <ul className={styles.amounts} aria-label="Words of this session">
      {[...amounts].map(([author, { added, removed }]) => {
        const person = people.get(timeline.authors[author] ?? "") ?? {
          name: "Somebody",
          color: 10,
        };
        return (
          <li key={author}>
            <Avatar name={person.name} color={person.color} size="mini" />
            <b>{firstName(person)}</b>
            <span>
              {added > 0 || removed === 0 ? `${countedWords(added)} added` : ""}
              {added > 0 && removed > 0 ? ", " : ""}
              {removed > 0 ? `${added > 0 ? removed : countedWords(removed)} deleted` : ""}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

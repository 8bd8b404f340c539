"use client";

import type { ComponentProps } from "react";
import type { RestoreRequest } from "@/events/revisions/restore";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Colour } from "@/components/history/playback/colour";
import type { PlayerCommand } from "@/components/history/playback/player-keys";
import type { Comparing } from "@/components/history/compare/use-compare";
import type { ComingFrom } from "@/components/history/revision/coming-from";
import {
  shownOf,
  useReplayValue,
  useRevisionIndex,
} from "@/components/history/playback/replay-context";
import { onDemand } from "@/components/loading/on-demand";
import { RevisionPage } from "@/components/history/revision/revision-page";
import type { Person } from "@/events/read-models/person";
import { isEarlier } from "./use-bring-back";
import { commentsBeside } from "./comments-beside";
import { SessionLegend } from "./session-legend";
import { PassageOffer } from "./passage-offer";
import { OpeningPage } from "./player-loading";

const ComparePage = onDemand(() =>
  import("@/components/history/compare/compare-page").then((module) => module.ComparePage),
);

type Props = {
  people: ReadonlyMap<string, Person>;
  colour: Colour;
  /** Whether the analysis panel occupies the margin. */
  analysing: boolean;
  /** The scroll position at which the newest revision is shown on arrival. */
  from: ComingFrom | null;
  compare: Pick<Comparing, "other" | "steps" | "compareWith" | "close">;
  run: (command: PlayerCommand) => void;
  /** Reverts a change. Absent if the reader may not write. */
  onTakeBack: ((request: RestoreRequest) => void) | undefined;
  /** Restores the selected passage. Null if a restore is not offered. */
  onBring: (() => void) | null;
};

/** Shows the page of the player: a revision, a comparison, or the loading state. */
export function PlayerPage({ compare, onTakeBack, ...rest }: Props) {
  const { people, run } = rest;
  const { other, steps, compareWith, close } = compare;
  const timeline = useReplayValue(({ context }) => context.open?.timeline ?? null);
  const shown = useReplayValue(({ context }) => shownOf(context));
  const go = (index: number) => run({ type: "seek", index });
  if (timeline && other !== null)
    return (
      <ComparedPage
        timeline={timeline}
        people={people}
        other={other}
        onRevisions={([one, to]) => {
          compareWith(one);
          go(to);
        }}
        steps={steps}
        onClose={close}
        onTakeBack={onTakeBack}
        onShow={(revision) => {
          close();
          go(revision);
        }}
      />
    );
  return shown ? (
    <ShownPage timeline={shown} whole={timeline !== null} {...rest} />
  ) : (
    <OpeningPage />
  );
}

type ComparedProps = Omit<ComponentProps<typeof ComparePage>, "revisions"> & { other: number };

function ComparedPage({ other, ...rest }: ComparedProps) {
  return <ComparePage {...rest} revisions={[other, useRevisionIndex()]} />;
}

type ShownProps = Omit<Props, "compare" | "onTakeBack"> & {
  timeline: Timeline;
  /** Whether the timeline is the whole history and not only a prefix. */
  whole: boolean;
};

function ShownPage({ timeline, whole, people, colour, analysing, from, run, onBring }: ShownProps) {
  const index = useRevisionIndex();
  const playing = useReplayValue((snapshot) => snapshot.hasTag("playing"));
  const speed = useReplayValue(({ context }) => context.speed);
  return (
    <>
      <RevisionPage
        timeline={timeline}
        people={people}
        index={index}
        tinting={colour}
        moving={playing}
        speed={speed}
        from={from}
        legend={
          whole &&
          !analysing && (
            <SessionLegend
              timeline={timeline}
              people={people}
              playing={playing}
              colour={colour}
              run={run}
            />
          )
        }
        beside={commentsBeside}
      />
      {onBring && !playing && isEarlier(timeline, index) && (
        <PassageOffer timeline={timeline} onBring={onBring} />
      )}
    </>
  );
}

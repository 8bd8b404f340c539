"use client";

import { type RestoreRequest } from "@/events/revisions/restore";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Speed } from "@/machines/replay/replay-opening";
import { type Colour } from "@/components/history/playback/colour";
import { type PlayerCommand } from "@/components/history/playback/player-keys";
import { type Comparing } from "@/components/history/compare/use-compare";
import type { ComingFrom } from "@/components/history/revision/coming-from";
import { onDemand } from "@/components/loading/on-demand";
import { RevisionPage } from "@/components/history/revision/revision-page";
import { type Person } from "@/events/read-models/person";
import { commentsBeside } from "./comments-beside";
import { SessionLegend } from "./session-legend";
import { PassageOffer } from "./passage-offer";
import { OpeningPage } from "./player-loading";

const ComparePage = onDemand(() =>
  import("@/components/history/compare/compare-page").then((module) => module.ComparePage),
);

type Props = {
  /** The whole history; null until it is open. */
  timeline: Timeline | null;
  /** What is shown of it: its beginning as long as the rest is still being read. */
  shown: Timeline | null;
  people: ReadonlyMap<string, Person>;
  index: number;
  playing: boolean;
  speed: Speed;
  colour: Colour;
  /** Whether the panel of statistics has the margin. */
  analysing: boolean;
  /** Where the newest revision is shown at first. */
  from: ComingFrom | null;
  compare: Pick<Comparing, "other" | "steps" | "compareWith" | "close">;
  run: (command: PlayerCommand) => void;
  onGo: (index: number) => void;
  /** Takes back a change; absent where the reader may not write. */
  onTakeBack: ((request: RestoreRequest) => void) | undefined;
  /** Brings the selected passage back; null where that is not offered. */
  onBring: (() => void) | null;
  failed: boolean;
  onRetry: () => void;
};

/** The sheet of the player: a revision, the difference of two, or that the history is opening. */
export function PlayerPage({
  timeline,
  shown,
  people,
  index,
  playing,
  speed,
  colour,
  analysing,
  from,
  compare,
  run,
  onGo,
  onTakeBack,
  onBring,
  failed,
  onRetry,
}: Props) {
  const { other, steps, compareWith, close } = compare;
  if (timeline && other !== null)
    return (
      <ComparePage
        timeline={timeline}
        people={people}
        revisions={[other, index]}
        onRevisions={([one, to]) => {
          compareWith(one);
          onGo(to);
        }}
        steps={steps}
        onClose={close}
        onTakeBack={onTakeBack}
        onShow={(revision) => {
          close();
          onGo(revision);
        }}
      />
    );
  if (!shown) return <OpeningPage failed={failed} onRetry={onRetry} />;
  return (
    <>
      <RevisionPage
        timeline={shown}
        people={people}
        index={index}
        tinting={colour}
        moving={playing}
        speed={speed}
        from={from}
        legend={
          timeline &&
          !analysing && (
            <SessionLegend
              timeline={timeline}
              people={people}
              index={index}
              playing={playing}
              colour={colour}
              run={run}
            />
          )
        }
        beside={commentsBeside}
      />
      {onBring && !playing && <PassageOffer timeline={shown} onBring={onBring} />}
    </>
  );
}

"use client";

import { useRef } from "react";
import type { ReactNode } from "react";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { setAnalysis, useAnalysis } from "@/components/history/analysis/model/analysis-state";
import { indexNow, ReplayContext } from "@/components/history/playback/replay-context";
import type { MembershipChange } from "@/components/history/playback/timeline-markers";
import { RestoreQuestion } from "@/components/history/restore/restore-question";
import type { ComingFrom } from "@/components/history/revision/coming-from";
import { onDemand } from "@/components/loading/on-demand";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { PlayerControlBar } from "./control-bar/control-bar";
import { EarlyControlBar } from "./control-bar/early-control-bar";
import { PlayerBar } from "./player-bar";
import { PlayerCommands } from "./player-commands";
import { PlayerDialogs } from "./dialogs/player-dialogs";
import { OpeningControlBar } from "./player-loading";
import { PlayerPage } from "./player-page";
import { RestingAddress } from "./resting-address";
import { usePlayer } from "./use-player";
import type { PlayedDocument, PlayerAddress } from "./use-player";
import { useReplay } from "./use-replay";
import styles from "./player.module.css";

const PastAnalysis = onDemand(() =>
  import("@/components/history/analysis/past-analysis").then((module) => module.PastAnalysis),
);

/** The parts that the player passes to its frame. */
type PlayerSlots = {
  bar: ReactNode;
  page: ReactNode;
  aside: ReactNode;
  controlBar: ReactNode;
  /** Whether a single revision is shown and nothing plays. */
  resting: boolean;
};

type Props = {
  document: PlayedDocument;
  address: PlayerAddress;
  members: readonly Person[];
  /** The reader's place in the live text, at which the newest revision is shown first. */
  from: ComingFrom | null;
  /** The people who are writing now. */
  writing: readonly Person[];
  /** The known membership changes of the workspace. */
  membershipChanges: readonly MembershipChange[];
  /** The page's parts of the bar: breadcrumbs, and the people present. */
  lead?: ReactNode;
  here?: ReactNode;
  /** Opens the verification of the whole history. */
  onVerify: () => void;
  children: (slots: PlayerSlots) => ReactNode;
};

/**
 * Renders the history player on the document's own page, and passes its parts to the page's frame.
 * While it plays, only parts that depend on the revision render, and only when their value changes.
 */
export function Player({
  document,
  address,
  members,
  from,
  writing,
  membershipChanges,
  lead,
  here,
  onVerify,
  children,
}: Props) {
  const { documentId, store, liveVersion, mayRestore } = document;
  const actor = useReplay({ documentId, store, opening: address.opening });
  const controlBar = useRef<HTMLDivElement>(null);
  const player = usePlayer({ actor, document, address, members, membershipChanges, controlBar });
  const { view, beginning, playing, speed, people, colour, dialogs, restore, ask, run } = player;
  const { role } = useWorkspace("role");
  const analysis = useAnalysis().view;
  const timeline = view?.timeline ?? null;
  const takeBack = mayRestore ? ask : undefined;
  const onRestore =
    takeBack && timeline
      ? () => takeBack({ kind: "revision", timeline, index: indexNow(actor) })
      : undefined;
  const bar = (
    <PlayerBar
      liveVersion={liveVersion}
      lead={lead}
      here={here}
      onCopyLink={timeline && (() => run({ type: "copy.link" }))}
      analysis={analysis !== null}
      onAnalysis={timeline && (() => setAnalysis({ view: analysis === null ? "authors" : null }))}
      onVerify={onVerify}
      onBackToLive={address.leave}
    />
  );
  const page = (
    <PlayerPage
      people={people}
      colour={colour}
      analysing={analysis !== null}
      run={run}
      from={from}
      compare={player.compare}
      onTakeBack={takeBack}
      // The passage panel offers the same restore, so this button is then left out.
      onBring={player.bring && analysis !== "passage" ? player.bringSelected : null}
    />
  );
  const inControlBar = view ? (
    <div ref={controlBar}>
      <PlayerControlBar
        view={view}
        onRestore={onRestore}
        restoring={restore.asking}
        onVerify={onVerify}
        onRevert={takeBack}
        onRedact={role === "owner" ? () => dialogs.openAtRevision("redact") : undefined}
      />
    </div>
  ) : beginning ? (
    <div ref={controlBar}>
      <EarlyControlBar
        {...beginning}
        playing={playing}
        speed={speed}
        members={members}
        newest={liveVersion}
        run={player.runEarly}
      />
    </div>
  ) : (
    <OpeningControlBar newest={liveVersion} />
  );
  const aside = view && (analysis !== null || colour === "all") && (
    <PastAnalysis
      player={view}
      documentId={documentId}
      store={store}
      onBring={player.bring}
      restoring={mayRestore ? { ask, asking: restore.asking } : null}
    />
  );
  const resting = view !== null && !playing && view.other === null;
  return (
    <ReplayContext value={actor}>
      <div className={styles.player} onKeyDownCapture={player.listen}>
        {children({ bar, page, aside, controlBar: inControlBar, resting })}
        {dialogs.dialog && view && (
          <PlayerDialogs
            dialog={dialogs.dialog}
            dialogs={dialogs}
            documentId={documentId}
            store={store}
            view={view}
            people={people}
            mayName={mayRestore}
            onDivide={player.display.divideBy}
            onNamed={player.display.onNamed}
          />
        )}
        {view && (
          <PlayerCommands
            run={run}
            onVerify={onVerify}
            onRestore={onRestore}
            onBackToLive={address.leave}
          />
        )}
        <RestingAddress other={player.compare.other} onRevision={address.show} />
        <RestoreQuestion restore={restore} people={people} writing={writing.map(firstName)} />
      </div>
    </ReplayContext>
  );
}

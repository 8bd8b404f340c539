"use client";

import { useCallback, useRef, useState, type ReactNode } from "react";
import { type Store } from "@/events/log/store";
import { type Opening } from "@/machines/replay/replay-opening";
import { setAnalysis, useAnalysis } from "@/components/history/analysis/model/analysis-state";
import { setLayer } from "@/components/commands/open-layer";
import { nextColour, useColour } from "@/components/history/playback/colour";
import { useCompare } from "@/components/history/compare/use-compare";
import { fork, useCopying } from "@/components/frame/documents/use-copying";
import type { ComingFrom } from "@/components/history/revision/coming-from";
import { onDemand } from "@/components/loading/on-demand";
import { firstName, type Person } from "@/events/read-models/person";
import { isolated } from "@/events/core/text/isolated";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { type AxisKind } from "@/components/history/playback/timeline-axis";
import { type MembershipChange } from "@/components/history/playback/timeline-markers";
import { EarlyControlBar } from "./control-bar/early-control-bar";
import { useFullScreenEnd } from "./full-screen";
import { noFilter, playbackFilterOf } from "@/components/history/playback/playback-filter";
import { dateWords, inTrashAt } from "@/components/history/words/revision-words";
import { type CompareRequest } from "@/components/history/playback/revision-address";
import { OpeningControlBar } from "./player-loading";
import { PlayerBar } from "./player-bar";
import { PlayerCommands } from "./player-commands";
import { PlayerDialogs } from "./dialogs/player-dialogs";
import { PlayerControlBar } from "./control-bar/control-bar";
import { PlayerPage } from "./player-page";
import { type RestoreRequest } from "@/events/revisions/restore";
import { useFocusOnceOpen } from "@/components/history/playback/slider-focus";
import { type PlayerView } from "@/components/history/playback/player-view";
import { useAddress } from "./use-address";
import { useAuthors } from "@/components/history/authors/use-authors";
import { useBringBack } from "./use-bring-back";
import { useChapters } from "./use-chapters";
import { useCommands } from "./use-commands";
import { useEarlyCommands } from "./use-early-commands";
import { useMarkers } from "./use-markers";
import { usePlayerDialogs } from "./dialogs/use-player-dialogs";
import { usePlayerKeys } from "./use-player-keys";
import { useQuietChrome } from "./use-quiet-chrome";
import { useReplay } from "./use-replay";
import { RestoreQuestion } from "@/components/history/restore/restore-question";
import { useRestore } from "@/components/history/restore/use-restore";
import styles from "./player.module.css";

const PastAnalysis = onDemand(() =>
  import("@/components/history/analysis/past-analysis").then((module) => module.PastAnalysis),
);

/** What the player gives the frame: for the bar, the sheet, beside it and the control bar. */
type PlayerSlots = {
  bar: ReactNode;
  page: ReactNode;
  aside: ReactNode;
  controlBar: ReactNode;
  /** When the revision was that is shown, and what the document was called; null while it moves. */
  moment: { time: number; title: string } | null;
};

type Props = {
  documentId: string;
  store: Pick<Store, "read" | "append">;
  members: readonly Person[];
  /** What the address asks for; where it changes, the player goes there. */
  opening: Opening & CompareRequest;
  /** The newest version that the log is known to hold, which grows while one looks at the past. */
  liveVersion: number;
  /** Where the newest revision is shown at first: where in the present its reader was. */
  from: ComingFrom | null;
  /** Whether the law lets this reader emit `document.reverted` now. */
  mayRestore: boolean;
  /** Who else is writing now. */
  writing: readonly Person[];
  /** Who came into the workspace and who left, as far as it is known. */
  membershipChanges: readonly MembershipChange[];
  /** What the page puts into the bar: where it stands, who is on it. */
  lead?: ReactNode;
  here?: ReactNode;
  /** Told the address of the revision that is shown, whenever it has come to rest. */
  onRevision?: ((address: string) => void) | undefined;
  /** Opens the check of the whole history. */
  onVerify: () => void;
  onBackToLive: () => void;
  children: (slots: PlayerSlots) => ReactNode;
};

/** The past of a document, on the document's own page: it gives its parts to the frame that the page puts around it. */
export function Player({
  documentId,
  store,
  members,
  opening,
  liveVersion,
  from,
  mayRestore,
  writing,
  membershipChanges,
  lead,
  here,
  onRevision,
  onVerify,
  onBackToLive,
  children,
}: Props) {
  const { replay, playing, failed, send } = useReplay({ documentId, store, opening });
  const { open, prefix, index, speed, pacing, range, loaded } = replay;
  const timeline = open?.timeline ?? null;
  // What is shown of a history that is still being read, once somebody asks for it.
  const shown = timeline ?? (prefix?.sought ? prefix.timeline : null);
  const { people, authors } = useAuthors(timeline, members);
  const copy = useCopying();
  const source = {
    documentId,
    title: timeline?.titleAt(index) || "Untitled",
    icon: timeline?.iconAt(index) ?? null,
    store,
  };
  const { role, me } = useWorkspace("role", "me");
  const restore = useRestore({ documentId, store, onRestored: onBackToLive });
  const ask = (restoreRequest: RestoreRequest) => {
    send({ type: "PAUSE" });
    restore.ask(restoreRequest);
  };
  const controlBar = useRef<HTMLDivElement>(null);
  const [colour, setColour] = useColour(me.userId);
  const [chapters, divideBy] = useChapters(timeline);
  const [filter, setFilter] = useState(noFilter);
  const [axis, setAxis] = useState<AxisKind>("sessions");
  const markers = useMarkers(timeline, membershipChanges, me.userId);
  const nameOf = useCallback(
    (userId: string) => isolated(people.get(userId)?.name ?? "Somebody"),
    [people],
  );
  const dialogs = usePlayerDialogs({ timeline, index, nameOf, send });
  const compare = useCompare(timeline, index, opening);
  const { other } = compare;
  const comparing = other !== null;
  const { bring, bringSelected } = useBringBack({ timeline, index, comparing, mayRestore, ask });
  const address = useAddress({ timeline, index, range, other, playing, onRevision });
  const run = useCommands({
    send,
    place: open && { ...open, index, range },
    address,
    stops: markers.stops,
    chapters: chapters.all,
    onAxis: setAxis,
    onFilter: (next) => {
      setFilter(next);
      if (timeline)
        send({ type: "PLAYBACK_FILTER", playbackFilter: playbackFilterOf(timeline, next) });
    },
    onChapters: () => dialogs.open("chapters"),
    onColour: setColour,
    onColours: () => setColour(nextColour(colour)),
    onHelp: () => setLayer("shortcuts"),
    onGoTo: () => dialogs.open("go-to"),
    onCompare: compare.toggle,
    onChange: compare.step,
    onVersions: () => dialogs.openAtRevision("versions"),
    onFork: () => timeline && void copy(source, fork, timeline.revision(index)),
    onBringBack: bringSelected,
    onLeave: comparing ? compare.close : onBackToLive,
  });
  const go = (to: number) => run({ type: "SEEK", index: to });
  const runEarly = useEarlyCommands(send, onBackToLive);
  const going = timeline ?? prefix?.timeline;
  const listen = usePlayerKeys({
    at: going ? { playing, last: going.length - 1, speed } : null,
    busy: restore.question !== null || dialogs.dialog !== null,
    controlBar,
    run: timeline ? run : runEarly,
  });
  useFocusOnceOpen(timeline ? "whole" : prefix ? "beginning" : null);
  useQuietChrome(playing);
  useFullScreenEnd();
  const view: PlayerView | null = open && {
    ...open,
    authors,
    index,
    playing,
    speed,
    pacing,
    range,
    colour,
    axis,
    filter,
    other,
    markers: markers.all,
    chapters,
    nameOf,
    run,
  };
  const revision = shown?.revision(index);
  const date = shown && revision ? dateWords(revision.time, shown.timeOf(shown.length - 1)) : null;
  const analysis = useAnalysis().view;
  const copyLink = useCallback(() => run({ type: "COPY_LINK" }), [run]);
  const toggleAnalysis = useCallback(
    () => setAnalysis({ view: analysis === null ? "authors" : null }),
    [analysis],
  );
  const bar = (
    <PlayerBar
      date={date}
      trashed={timeline !== null && inTrashAt(timeline, index)}
      fresh={timeline ? Math.max(0, liveVersion - timeline.version) : 0}
      lead={lead}
      here={here}
      onCopyLink={timeline && copyLink}
      analysis={analysis !== null}
      onAnalysis={timeline && toggleAnalysis}
      onVerify={onVerify}
      onBackToLive={onBackToLive}
    />
  );
  const page = (
    <PlayerPage
      timeline={timeline}
      shown={shown}
      people={people}
      index={index}
      playing={playing}
      speed={speed}
      colour={colour}
      analysing={analysis !== null}
      run={run}
      from={from}
      compare={compare}
      onGo={go}
      onTakeBack={mayRestore ? ask : undefined}
      // The panel on a passage makes the same offer.
      onBring={bring && analysis !== "passage" ? bringSelected : null}
      failed={failed}
      onRetry={() => send({ type: "RETRY" })}
    />
  );
  const onRestore =
    mayRestore && timeline ? () => ask({ kind: "revision", timeline, index }) : undefined;
  const inControlBar = view ? (
    <div ref={controlBar}>
      <PlayerControlBar
        view={view}
        onRestore={onRestore}
        restoring={restore.asking}
        onVerify={onVerify}
        onRevert={mayRestore ? ask : undefined}
        onRedact={role === "owner" ? () => dialogs.openAtRevision("redact") : undefined}
      />
    </div>
  ) : prefix ? (
    <div ref={controlBar}>
      <EarlyControlBar
        prefix={prefix}
        index={index}
        playing={playing}
        speed={speed}
        members={members}
        loaded={loaded}
        newest={liveVersion}
        run={runEarly}
      />
    </div>
  ) : (
    <OpeningControlBar failed={failed} loaded={loaded} newest={liveVersion} />
  );
  const aside = view && (analysis !== null || colour === "all") && (
    <PastAnalysis
      player={view}
      documentId={documentId}
      store={store}
      onBring={bring}
      restoring={mayRestore ? { ask, asking: restore.asking } : null}
    />
  );
  const rests = timeline !== null && !playing && compare.other === null;
  const moment = rests ? { time: timeline.timeOf(index), title: timeline.titleAt(index) } : null;
  return (
    <div className={styles.player} onKeyDownCapture={listen}>
      {children({ bar, page, aside, controlBar: inControlBar, moment })}
      {dialogs.dialog && timeline && (
        <PlayerDialogs
          dialog={dialogs.dialog}
          documentId={documentId}
          store={store}
          timeline={timeline}
          people={people}
          authors={authors}
          index={index}
          chapters={chapters}
          mayName={mayRestore}
          onDivide={divideBy}
          onGo={go}
          onNameFrom={dialogs.nameFrom}
          onNamed={markers.onNamed}
          onClose={dialogs.close}
        />
      )}
      {view && (
        <PlayerCommands
          run={run}
          onVerify={onVerify}
          onRestore={onRestore}
          onBackToLive={onBackToLive}
        />
      )}
      <RestoreQuestion restore={restore} people={people} writing={writing.map(firstName)} />
    </div>
  );
}

"use client";

import { shallowEqual, useSelector } from "@xstate/react";
import { useMemo } from "react";
import type { RefObject } from "react";
import type { Store } from "@/events/log/store";
import type { Person } from "@/events/read-models/person";
import type { RestoreRequest } from "@/events/revisions/restore";
import type { Opening } from "@/machines/replay/replay-opening";
import { setLayer } from "@/components/commands/open-layer";
import { fork, useCopying } from "@/components/frame/documents/use-copying";
import { useAuthors } from "@/components/history/authors/use-authors";
import { useCompare } from "@/components/history/compare/use-compare";
import { nextColour } from "@/components/history/playback/colour";
import { playbackFilterOf } from "@/components/history/playback/playback-filter";
import type { PlayerView } from "@/components/history/playback/player-view";
import { indexNow } from "@/components/history/playback/replay-context";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import type { CompareRequest } from "@/components/history/playback/revision-address";
import { useFocusOnceOpen } from "@/components/history/playback/slider-focus";
import type { MembershipChange } from "@/components/history/playback/timeline-markers";
import { useRestore } from "@/components/history/restore/use-restore";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { useFullScreenEnd } from "./full-screen";
import { addressOfShown } from "./resting-address";
import { useBringBack } from "./use-bring-back";
import { useCommands } from "./use-commands";
import { useDisplay } from "./use-display";
import { useEarlyCommands } from "./use-early-commands";
import { usePlayerDialogs } from "./dialogs/use-player-dialogs";
import { usePlayerKeys } from "./use-player-keys";
import { useQuietChrome } from "./use-quiet-chrome";

export type PlayedDocument = {
  documentId: string;
  store: Pick<Store, "read" | "append">;
  /** The newest known version of the log, which grows while the past is shown. */
  liveVersion: number;
  /** Whether the law (the transition table) lets this reader emit `document.reverted` now. */
  mayRestore: boolean;
};

export type PlayerAddress = {
  /** What the URL requests. A new request moves the player. */
  opening: Opening & CompareRequest;
  /** Receives the query string of the shown revision once it has settled. */
  show: (address: string) => void;
  /** Returns to the live text. */
  leave: () => void;
};

type Input = {
  actor: ReplayActor;
  document: PlayedDocument;
  address: PlayerAddress;
  members: readonly Person[];
  membershipChanges: readonly MembershipChange[];
  controlBar: RefObject<HTMLElement | null>;
};

/**
 * Selects the state on which the whole player depends. The revision is excluded, because it changes
 * many times a second. The parts select the revision.
 */
function wholeOf(snapshot: ReturnType<ReplayActor["getSnapshot"]>) {
  const { open, prefix, speed, pacing, range } = snapshot.context;
  return {
    open,
    begun: prefix?.timeline ?? null,
    begunPath: prefix?.playbackPath ?? null,
    playing: snapshot.hasTag("playing"),
    speed,
    pacing,
    range,
  };
}

/** Returns the player of one document: the state of its parts, and their actions. */
export function usePlayer(input: Input) {
  const { actor, document, address, members, membershipChanges, controlBar } = input;
  const { documentId, store, mayRestore } = document;
  const whole = useSelector(actor, wholeOf, shallowEqual);
  const { open, begun, begunPath, playing, speed, pacing, range } = whole;
  const timeline = open?.timeline ?? null;
  const { people, authors } = useAuthors(timeline, members);
  const copy = useCopying();
  const { me } = useWorkspace("me");
  const restore = useRestore({ documentId, store, onRestored: address.leave });
  const ask = (restoreRequest: RestoreRequest) => {
    actor.send({ type: "pause" });
    restore.ask(restoreRequest);
  };
  const display = useDisplay({ timeline, people, membershipChanges, userId: me.userId });
  const { shown } = display;
  const dialogs = usePlayerDialogs({ actor, timeline, nameOf: shown.nameOf });
  const compare = useCompare(actor, timeline, address.opening);
  const { other } = compare;
  const comparing = other !== null;
  const { bring, bringSelected } = useBringBack({ actor, timeline, comparing, mayRestore, ask });
  const forkHere = () => {
    if (!timeline) return;
    const index = indexNow(actor);
    const [title, icon] = [timeline.titleAt(index) || "Untitled", timeline.iconAt(index) ?? null];
    void copy({ documentId, title, icon, store }, fork, timeline.revision(index));
  };
  const run = useCommands({
    actor,
    address: () => addressOfShown(actor.getSnapshot().context, other),
    stops: display.stops,
    chapters: shown.chapters.all,
    onAxis: display.setAxis,
    onFilter: (next) => {
      display.setFilter(next);
      if (timeline)
        actor.send({ type: "playback.filter", playbackFilter: playbackFilterOf(timeline, next) });
    },
    onChapters: () => dialogs.open("chapters"),
    onColour: display.setColour,
    onColours: () => display.setColour(nextColour(shown.colour)),
    onHelp: () => setLayer("shortcuts"),
    onGoTo: () => dialogs.open("go-to"),
    onCompare: compare.toggle,
    onChange: compare.step,
    onVersions: () => dialogs.openAtRevision("versions"),
    onFork: forkHere,
    onBringBack: bringSelected,
    onLeave: comparing ? compare.close : address.leave,
  });
  const runEarly = useEarlyCommands(actor.send, address.leave);
  const going = timeline ?? begun;
  const listen = usePlayerKeys({
    at: going ? { playing, last: going.length - 1, speed } : null,
    busy: restore.question !== null || dialogs.dialog !== null,
    controlBar,
    run: timeline ? run : runEarly,
  });
  useFocusOnceOpen(timeline ? "whole" : begun ? "beginning" : null);
  useQuietChrome(playing);
  useFullScreenEnd();
  const view = useMemo(
    (): PlayerView | null =>
      open && { ...open, ...shown, authors, playing, speed, pacing, range, other, run },
    [open, shown, authors, playing, speed, pacing, range, other, run],
  );
  const beginning = begun && begunPath && { timeline: begun, playbackPath: begunPath };
  return {
    view,
    beginning,
    playing,
    speed,
    people,
    colour: shown.colour,
    display,
    dialogs,
    compare,
    restore,
    ask,
    bring,
    bringSelected,
    run,
    runEarly,
    listen,
  };
}

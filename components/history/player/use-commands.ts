"use client";

import { useCallback, useEffect, useRef } from "react";
import type { PlaybackPath } from "@/events/history/timeline/playback-path";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstVisited, stoppedFrom } from "@/machines/replay/replay-steps";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import type { CopyText } from "@/components/ui/clipboard/use-copy-text";
import type { Colour } from "@/components/history/playback/colour";
import type { AxisKind } from "@/components/history/playback/timeline-axis";
import type { Filter } from "@/components/history/playback/playback-filter";
import type { PlayerCommand } from "@/components/history/playback/player-keys";
import type { ReplayActor } from "@/components/history/playback/replay-context";
import { toggleFullScreen } from "./full-screen";

type Place = {
  timeline: Timeline;
  playbackPath: PlaybackPath;
  index: number;
  range: Span | null;
};

type Input = {
  actor: ReplayActor;
  /** Returns the query string of what is shown now, or null until a history is open. */
  address: () => string | null;
  /** The revisions, besides the starts of sessions and chapters, at which `[` and `]` stop. */
  stops: readonly number[];
  chapters: readonly Span[];
  onColour: (colour: Colour) => void;
  onColours: () => void;
  onCompare: () => void;
  /** Steps to another change of the comparison, if there is one. */
  onChange: (by: -1 | 1) => void;
  onAxis: (axis: AxisKind) => void;
  onFilter: (filter: Filter) => void;
  onChapters: () => void;
  onVersions: () => void;
  onFork: () => void;
  onHelp: () => void;
  onGoTo: () => void;
  onBringBack: () => void;
  onLeave: () => void;
};

/** Returns the player's position, or null until a history is open. */
function placeNow(actor: ReplayActor): Place | null {
  const { open, index, range } = actor.getSnapshot().context;
  return open && { ...open, index, range };
}

const ranged = ({ index, range, timeline }: Place, end: "from" | "to"): Span | null => {
  const whole = { from: 0, to: timeline.length - 1 };
  const before = range ?? whole;
  const same = range !== null && range[end] === index;
  const next = { ...before, [end]: same ? whole[end] : index };
  const sound =
    end === "from"
      ? { from: next.from, to: Math.max(next.to, next.from) }
      : { from: Math.min(next.from, next.to), to: next.to };
  return sound.from === whole.from && sound.to === whole.to ? null : sound;
};

/** Returns the starts of sessions and chapters, and the marks that the filter does not exclude. */
function allStops(
  { timeline, playbackPath }: Place,
  marks: readonly number[],
  chapters: readonly Span[],
): number[] {
  return [
    ...new Set([
      ...firstVisited(timeline.timingMap.sessions, playbackPath),
      ...firstVisited(chapters, playbackPath),
      ...marks.filter((revision) => playbackPath.playbackFilter(revision)),
    ]),
  ].sort((a, b) => a - b);
}

/** Returns a function that runs the commands of keys and controls. Stable across renders. */
export function useCommands(input: Input): (command: PlayerCommand) => void {
  const copyText = useCopyText();
  const latest = useRef({ ...input, copyText });
  useEffect(() => {
    latest.current = { ...input, copyText };
  });
  return useCallback((command: PlayerCommand) => {
    const {
      actor,
      address,
      stops,
      chapters,
      copyText,
      onColour,
      onColours,
      onCompare,
      onChange,
      onVersions,
      onFork,
      onAxis,
      onFilter,
      onChapters,
      onHelp,
      onGoTo,
      onBringBack,
      onLeave,
    } = latest.current;
    const { send } = actor;
    const place = placeNow(actor);
    switch (command.type) {
      case "colour":
        return onColour(command.colour);
      case "colours":
        return onColours();
      case "compare":
        return onCompare();
      case "axis":
        return onAxis(command.axis);
      case "filter":
        return onFilter(command.filter);
      case "chapters":
        return onChapters();
      case "change":
        return onChange(command.by);
      case "versions":
        return onVersions();
      case "fork":
        return onFork();
      case "help":
        return onHelp();
      case "bring.back":
        return onBringBack();
      case "leave":
        return onLeave();
      case "copy.link":
        return copyLink(address(), copyText);
      case "full.screen":
        return toggleFullScreen();
      case "range.start":
      case "range.end":
        if (place)
          send({
            type: "range",
            range: ranged(place, command.type === "range.start" ? "from" : "to"),
          });
        return;
      case "stop":
        if (place)
          send({
            type: "seek",
            index: stoppedFrom(place, allStops(place, stops, chapters), command.by),
          });
        return;
      case "go.to":
        return onGoTo();
      default:
        return send(command);
    }
  }, []);
}

function copyLink(address: string | null, copyText: CopyText): void {
  if (address === null) return;
  void copyText(
    `${location.origin}${location.pathname}${address}`,
    "Link to this moment copied",
    "The link could not be copied. Pause the player and copy it from the address bar.",
  );
}

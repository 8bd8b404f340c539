import type { PlaybackPath, Pacing } from "@/events/history/timeline/playback-path";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Speed } from "@/machines/replay/replay-opening";
import type { Person } from "@/events/read-models/person";
import type { Chapters } from "./chapters";
import type { Colour } from "./colour";
import type { AxisKind } from "./timeline-axis";
import type { Marker } from "./timeline-markers";
import type { Filter } from "./playback-filter";
import type { PlayerCommand } from "./player-keys";

/**
 * The state that the parts of the player show, and the function that runs their commands. The
 * revision is excluded, because it changes many times a second. Each part selects the values that
 * it needs (`useReplayValue`).
 */
export type PlayerView = {
  timeline: Timeline;
  playbackPath: PlaybackPath;
  /** The authors in the timeline's order. */
  authors: readonly Person[];
  playing: boolean;
  speed: Speed;
  pacing: Pacing;
  range: Span | null;
  colour: Colour;
  /** The revision that is compared with the shown one, or null without a comparison. */
  other: number | null;
  axis: AxisKind;
  filter: Filter;
  markers: readonly Marker[];
  chapters: Chapters;
  /** Returns the name of any person, with or without edits in the document. */
  nameOf: (userId: string) => string;
  run: (command: PlayerCommand) => void;
};

import { type PlaybackPath, type Pacing } from "@/events/history/timeline/playback-path";
import { type Span } from "@/events/history/timeline/timing-map";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Speed } from "@/machines/replay/replay-opening";
import { type Person } from "@/events/read-models/person";
import { type Chapters } from "./chapters";
import { type Colour } from "./colour";
import { type AxisKind } from "./timeline-axis";
import { type Marker } from "./timeline-markers";
import { type Filter } from "./playback-filter";
import { type PlayerCommand } from "./player-keys";

/**
 * What the parts of the player show, and the one function through which they act. The revision is not in it: it changes
 * many times a second, and each part selects what it needs of it (`useReplayValue`).
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
  /** The revision that the one shown is compared with; null where nothing is compared. */
  other: number | null;
  axis: AxisKind;
  filter: Filter;
  markers: readonly Marker[];
  chapters: Chapters;
  /** What a person is called, who may not have written anything. */
  nameOf: (userId: string) => string;
  run: (command: PlayerCommand) => void;
};

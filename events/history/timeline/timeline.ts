import type { Anomaly } from "@/events/crdt/validation/validation";
import type { Json, Ruled, Subject } from "@/events/core/envelope";
import type { Block } from "./full-history-text";
import type { FullHistoryText } from "./stored-history-text";
import type { ColumnarHistory } from "./columnar-history";
import type { RevisionColumns } from "./revision-columns";
import type { TimingMap, Pauses } from "./timing-map";

/** The fields of a log row that playback needs. */
export type TimelineRow = Pick<
  Ruled,
  | "id"
  | "version"
  | "type"
  | "actorId"
  | "clientIds"
  | "clientTime"
  | "recordedAt"
  | "body"
  | "schema"
  | "update"
  | "toPhase"
  | "subject"
>;

/**
 * An event that the player lists: any event but a text edit. It changes the title or phase, or
 * marks a place.
 */
export type Mark = {
  revision: number;
  id: string;
  version: number;
  type: string;
  subject: Subject;
  actorId: string;
  body: Json;
  toPhase: string;
};

/** The length of a long history, on which queries may take more than a frame or two. */
export const longHistory = 20_000;

/** One step of the history. `edit` counts from 0 within its event. */
export type Revision = {
  index: number;
  version: number;
  edit: number;
  type: string;
  actorId: string;
  author: number;
  time: number;
};

/** A document's history, immutable, which can be shown at any revision. */
export type Timeline = {
  /** The number of revisions. The newest revision is `length - 1`. */
  length: number;
  version: number;
  /** User ids in the order of their first revision. `author` of a revision is an index of these. */
  authors: string[];
  marks: Mark[];
  anomalies: Anomaly[];
  blocks: Block[];
  historyText: FullHistoryText;
  timingMap: TimingMap;
  revision(index: number): Revision;
  authorOf(index: number): number;
  timeOf(index: number): number;
  titleAt(index: number): string;
  /** Returns the emoji before the title, or null without one. */
  iconAt(index: number): string | null;
  /** Returns the last revision of a version, or the nearest revision before it. */
  ofVersion(version: number): number;
  /**
   * Returns the first revision of the group that holds the previous revision, and of the next group
   * (or `length`).
   */
  groupBefore(index: number): number;
  groupAfter(index: number): number;
  readonly data: TimelineData;
};

/** A timeline with its recording. */
export type WholeTimeline = Timeline & {
  /** Returns the newest state as one Yjs update, from the log alone. */
  state(): Uint8Array;
};

/** The first revisions of groups, and the pauses, for stepping and playing. */
export type Rhythm = { groups: Uint32Array; pauses: Pauses };

/** All data of a timeline, in a form that a worker can post. */
export type TimelineData = {
  revisions: RevisionColumns;
  historyText: ColumnarHistory;
  rhythm: Rhythm;
  marks: Mark[];
  anomalies: Anomaly[];
};

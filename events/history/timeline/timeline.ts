import { type Anomaly } from "@/events/crdt/validation/validation";
import { type Json, type Ruled, type Subject } from "@/events/core/envelope";
import { type Block } from "./full-history-text";
import { type FullHistoryText } from "./stored-history-text";
import { type ColumnarHistory } from "./columnar-history";
import { type RevisionColumns } from "./revision-columns";
import { type TimingMap, type Pauses } from "./timing-map";

/** What a row of the log must hold to be played. */
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
 * An event as the player lists it: everything but the text's own edits changes the title or the
 * phase, or marks a place.
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

/** With more revisions than this a history is long: what is asked of it may take longer than a frame or two. */
export const longHistory = 20_000;

/** One step of the history; `edit` counts from 0 within its event. */
export type Revision = {
  index: number;
  version: number;
  edit: number;
  type: string;
  actorId: string;
  author: number;
  time: number;
};

/** A document's history, ready to be shown at any revision; it never changes. */
export type Timeline = {
  /** How many revisions there are; the revision `length - 1` is the newest. */
  length: number;
  version: number;
  /** User ids in the order of their first revision; a revision's `author` is an index into them. */
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
  /** The emoji before the title; null where there is none. */
  iconAt(index: number): string | null;
  /** The last revision of a version, or the nearest before it. */
  ofVersion(version: number): number;
  /**
   * The first revision of the group that holds the revision before this one, and of the group after
   * this one's (or `length`).
   */
  groupBefore(index: number): number;
  groupAfter(index: number): number;
  readonly data: TimelineData;
};

/** A timeline of which the recording is at hand as well. */
export type WholeTimeline = Timeline & {
  /** The newest state as one Yjs update, told by the log alone. */
  state(): Uint8Array;
};

/** What stepping and playing go by: the first revisions of groups, and the pauses. */
export type Rhythm = { groups: Uint32Array; pauses: Pauses };

/** All that a timeline is made of, plain enough to be handed over by a worker. */
export type TimelineData = {
  revisions: RevisionColumns;
  historyText: ColumnarHistory;
  rhythm: Rhythm;
  marks: Mark[];
  anomalies: Anomaly[];
};

import { appendAll } from "@/events/core/append-all";
import { Recording } from "@/events/history/timeline/recording";
import { SegmentWriter } from "./segment-writer";
import { type TimelineRow } from "@/events/history/timeline/timeline";

/** A stretch of a stream's versions, both ends included, in the form that a player reads. */
export type Segment = {
  fromVersion: number;
  toVersion: number;
  revisionCount: number;
  bytes: Uint8Array;
};

/** A segment with this many revisions is full, and is never made again; it is some 50 kB. */
export const fullSegment = 32_768;

/** Makes segments of a stream's events, page by page and in order, from where a recording has come. */
export class SegmentBuilder {
  private readonly recording: Recording;
  private writer: SegmentWriter | null = null;
  private from = 0;
  private anomalies: ReturnType<Recording["add"]> = [];

  constructor(recording = new Recording()) {
    this.recording = recording;
  }

  /**
   * Takes the next event in; answers a segment when it is full. Throws BrokenRecording where a
   * stream cannot be packed.
   */
  add(row: TimelineRow): Segment | null {
    if (!this.writer) {
      const { version, now } = this.recording.revisions;
      this.from = version + 1;
      this.writer = new SegmentWriter(this.recording.sequence, this.from, Math.max(0, now));
    }
    appendAll(this.anomalies, this.recording.add(row, null, this.writer));
    return this.writer.revisionCount >= fullSegment ? this.finish() : null;
  }

  /** The events since the last segment as one that is not full; null where there are none. */
  finish(): Segment | null {
    const { writer, from, anomalies } = this;
    if (!writer) return null;
    this.writer = null;
    this.anomalies = [];
    return {
      fromVersion: from,
      toVersion: this.recording.revisions.version,
      revisionCount: writer.revisionCount,
      bytes: writer.finish(anomalies),
    };
  }
}

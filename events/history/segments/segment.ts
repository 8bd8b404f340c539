import { appendAll } from "@/events/core/append-all";
import { Recording } from "@/events/history/timeline/recording";
import { SegmentWriter } from "./segment-writer";
import type { TimelineRow } from "@/events/history/timeline/timeline";

/** A range of a stream's versions, both ends included, in the player's format. */
export type Segment = {
  fromVersion: number;
  toVersion: number;
  revisionCount: number;
  bytes: Uint8Array;
};

/** The revisions of a full segment, which is never rebuilt and has about 50 kB. */
export const fullSegment = 32_768;

/**
 * Builds segments from a stream's events, page by page and in order. Starts where a recording ends.
 */
export class SegmentBuilder {
  private readonly recording: Recording;
  private writer: SegmentWriter | null = null;
  private from = 0;
  private anomalies: ReturnType<Recording["add"]> = [];

  constructor(recording = new Recording()) {
    this.recording = recording;
  }

  /**
   * Adds the next event. Returns a segment when one is full, else null. Throws BrokenRecording if
   * the stream cannot be packed.
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

  /** Returns the events since the last segment as a segment that is not full, or null. */
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

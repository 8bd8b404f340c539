import { readSegment } from "@/events/history/segments/segment-reader";
import { SegmentError } from "@/events/history/segments/segment-columns";
import { Recording } from "@/events/history/timeline/recording";
import type { TimelineData, TimelineRow } from "@/events/history/timeline/timeline";
import { TimelineBuilder } from "@/events/history/timeline/timeline-builder";

/**
 * Derives a timeline's data from a history's segments and the events after them, page by page.
 * Every call is synchronous, and the caller runs it in the page or in a worker.
 */
export class Derivation {
  private recording = new Recording();
  private begun: TimelineBuilder | null = null;
  private broken = false;
  /** Whether nothing has been added since `finish`. */
  private complete = false;

  /**
   * Adds the next segment and returns its last version. Returns null if this segment, or one before
   * it, cannot be read.
   */
  segment(bytes: Uint8Array): number | null {
    if (this.broken) return null;
    this.complete = false;
    try {
      return readSegment(this.recording, bytes).to;
    } catch (error) {
      if (!(error instanceof SegmentError || error instanceof TypeError)) throw error;
      this.broken = true;
      return null;
    }
  }

  /** Returns the data of the segments so far. More segments may follow. */
  prefix(): TimelineData {
    return this.recording.finish();
  }

  /** Clears all data. The log follows from its beginning. */
  beginAnew(): void {
    this.recording = new Recording();
    this.begun = null;
    this.broken = false;
    this.complete = false;
  }

  /**
   * Adds the next events. Returns false if they need the whole log, which this derivation has not
   * seen. The caller then has to start over.
   */
  rows(rows: readonly TimelineRow[]): boolean {
    this.complete = false;
    const builder = this.builder();
    return rows.every((row) => builder.add(row));
  }

  /** Returns the data of everything added. */
  finish(): TimelineData {
    this.recording = this.builder().finish();
    this.complete = true;
    return this.recording.finish();
  }

  /** Returns the data again if nothing was added since `finish`, otherwise null. */
  finished(): TimelineData | null {
    return this.complete ? this.recording.finish() : null;
  }

  /** Returns the newest state as one Yjs update. Call this only after `finish`. */
  state(): Uint8Array {
    return this.recording.state();
  }

  /** Begins the part after the segments. No segment may follow. */
  builder(): TimelineBuilder {
    if (!this.begun) {
      this.recording.catchUp();
      this.begun = new TimelineBuilder(this.recording);
    }
    return this.begun;
  }
}

import { readSegment } from "@/events/history/segments/segment-reader";
import { SegmentError } from "@/events/history/segments/segment-columns";
import { Recording } from "@/events/history/timeline/recording";
import type { TimelineData, TimelineRow } from "@/events/history/timeline/timeline";
import { TimelineBuilder } from "@/events/history/timeline/timeline-builder";

/**
 * Derives a timeline's data from a history's segments and the events after them, page by page. It
 * is synchronous; the caller decides whether it runs in the page or in a worker.
 */
export class Derivation {
  private recording = new Recording();
  private begun: TimelineBuilder | null = null;
  private broken = false;
  /** Whether nothing was added since `finish`. */
  private complete = false;

  /**
   * Adds the next segment and returns its last version; null if it, or one before it, cannot be
   * read.
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

  /** The data of the segments so far; more may follow. */
  prefix(): TimelineData {
    return this.recording.finish();
  }

  /** Clears everything; the log follows from its beginning. */
  beginAnew(): void {
    this.recording = new Recording();
    this.begun = null;
    this.broken = false;
    this.complete = false;
  }

  /**
   * Adds the next events. Returns false if that needs the whole log, which this has not seen; the
   * caller then has to start over.
   */
  rows(rows: readonly TimelineRow[]): boolean {
    this.complete = false;
    const builder = this.builder();
    return rows.every((row) => builder.add(row));
  }

  /** The data of everything added. */
  finish(): TimelineData {
    this.recording = this.builder().finish();
    this.complete = true;
    return this.recording.finish();
  }

  /** The same again if nothing was added since, otherwise null. */
  finished(): TimelineData | null {
    return this.complete ? this.recording.finish() : null;
  }

  /** The newest state as one Yjs update; only after `finish`. */
  state(): Uint8Array {
    return this.recording.state();
  }

  /** Begins the part after the segments; no segment follows. */
  builder(): TimelineBuilder {
    if (!this.begun) {
      this.recording.catchUp();
      this.begun = new TimelineBuilder(this.recording);
    }
    return this.begun;
  }
}

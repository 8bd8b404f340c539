import { readSegment } from "@/events/history/segments/segment-reader";
import { SegmentError } from "@/events/history/segments/segment-columns";
import { Recording } from "@/events/history/timeline/recording";
import { type TimelineData, type TimelineRow } from "@/events/history/timeline/timeline";
import { TimelineBuilder } from "@/events/history/timeline/timeline-builder";

/**
 * Makes of a history's segments and of the events behind them what a timeline is made of. It is told page by page and
 * answers at once; where that happens, in the page or beside it, is for whoever tells it.
 */
export class Derivation {
  private recording = new Recording();
  private begun: TimelineBuilder | null = null;
  private broken = false;
  /** Whether nothing was taken in since `finish`. */
  private complete = false;

  /**
   * Puts the next segment in and answers the last version that is in; null where it, or one before
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

  /** What the segments so far came to; more may follow. */
  prefix(): TimelineData {
    return this.recording.finish();
  }

  /** Forgets everything; the log follows from its beginning. */
  beginAnew(): void {
    this.recording = new Recording();
    this.begun = null;
    this.broken = false;
    this.complete = false;
  }

  /**
   * Takes the next events in. False where that takes the whole log, which this has not seen: it has
   * to begin anew then.
   */
  rows(rows: readonly TimelineRow[]): boolean {
    this.complete = false;
    const builder = this.builder();
    return rows.every((row) => builder.add(row));
  }

  /** What everything came to. */
  finish(): TimelineData {
    this.recording = this.builder().finish();
    this.complete = true;
    return this.recording.finish();
  }

  /** The same once more, where nothing was taken in since; null otherwise. */
  finished(): TimelineData | null {
    return this.complete ? this.recording.finish() : null;
  }

  /** The newest state as one Yjs update; only after `finish`. */
  state(): Uint8Array {
    return this.recording.state();
  }

  /** Takes in what comes behind the segments; no segment follows. */
  builder(): TimelineBuilder {
    if (!this.begun) {
      this.recording.catchUp();
      this.begun = new TimelineBuilder(this.recording);
    }
    return this.begun;
  }
}

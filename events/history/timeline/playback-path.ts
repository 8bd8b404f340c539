import { lastUpTo, firstWhere } from "@/events/core/binary-search";
import { longestPause, pauseShown } from "./timing-map";
import type { Span } from "./timing-map";
import type { Timeline } from "./timeline";

/**
 * The speed of a history: as it was written, every edit alike, or all of it within some
 * milliseconds.
 */
export type Pacing = { kind: "real" } | { kind: "even" } | { kind: "within"; ms: number };

/**
 * The revisions to visit: an ascending list, or null for all. `slowly` leaves time to read each
 * before the next.
 */
export type PlaybackFilter = { revisions: Uint32Array | null; slowly: boolean };

/** Every revision, at the pace of writing. */
export const everyRevision: PlaybackFilter = { revisions: null, slowly: false };

type Plan = { pacing: Pacing; playbackFilter: PlaybackFilter; range: Span | null };

const evenStep = 120;
const readingStep = 2_000;

function within(revisions: Uint32Array, { from, to }: Span): Uint32Array {
  return revisions.subarray(lastUpTo(revisions, from - 1) + 1, lastUpTo(revisions, to) + 1);
}

function compressed(
  times: (ordinal: number) => number,
  count: number,
  pause: number,
): Float64Array {
  const shown = new Float64Array(count);
  for (let ordinal = 1; ordinal < count; ordinal += 1) {
    const wait = times(ordinal) - times(ordinal - 1);
    shown[ordinal] = (shown[ordinal - 1] ?? 0) + (wait > longestPause ? pause : Math.max(0, wait));
  }
  return shown;
}

/**
 * One way through a history: the visited revisions, and the millisecond of playback at which each
 * is reached. A visited revision is shown until the next one is reached.
 */
export class PlaybackPath {
  /** The first and last visited revision. Both are 0 if `count` is 0. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The total playback time in milliseconds. */
  readonly length: number;
  private readonly revisions: Uint32Array | null;
  private readonly reached: (ordinal: number) => number;
  private readonly timeOf: Timeline["timeOf"];

  constructor(
    timeline: Pick<Timeline, "length" | "timingMap" | "timeOf">,
    { pacing, playbackFilter, range }: Plan,
  ) {
    const whole = range ?? { from: 0, to: timeline.length - 1 };
    this.timeOf = timeline.timeOf;
    this.revisions = playbackFilter.revisions && within(playbackFilter.revisions, whole);
    this.count = this.revisions ? this.revisions.length : Math.max(0, whole.to - whole.from + 1);
    this.first = this.revisions ? (this.revisions[0] ?? 0) : whole.from;
    this.last = this.revisions ? (this.revisions.at(-1) ?? 0) : whole.to;
    const written = this.asWritten(timeline, playbackFilter.slowly);
    const natural = written(this.count - 1);
    const step = playbackFilter.slowly ? readingStep : evenStep;
    const squeeze = pacing.kind === "within" && natural > pacing.ms ? pacing.ms / natural : 1;
    this.reached =
      pacing.kind === "even"
        ? (ordinal) => ordinal * step
        : squeeze === 1
          ? written
          : (ordinal) => written(ordinal) * squeeze;
    this.length = this.count > 0 ? this.reached(this.count - 1) : 0;
  }

  /**
   * Returns the playback time in milliseconds at which a revision, or the visited revision before
   * it, is reached.
   */
  playedAt(index: number): number {
    return this.reached(Math.max(0, this.ordinalUpTo(index)));
  }

  /** Returns the visited revision that is shown at a playback time. */
  revisionAt(played: number): number {
    const next = firstWhere(0, this.count, (ordinal) => this.reached(ordinal) > played);
    return this.at(Math.max(0, next - 1));
  }

  /** Whether a revision is visited. */
  playbackFilter(index: number): boolean {
    return this.upTo(index) === index;
  }

  /** Returns the last visited revision up to this one, or null if there is none. */
  upTo(index: number): number | null {
    const ordinal = this.ordinalUpTo(index);
    return ordinal < 0 ? null : this.at(ordinal);
  }

  /** Returns the first visited revision from this one on, or null if there is none. */
  from(index: number): number | null {
    const next = this.ordinalUpTo(index - 1) + 1;
    return next < this.count ? this.at(next) : null;
  }

  /**
   * Returns the real milliseconds that playback skips between a revision and the next visited one,
   * or 0.
   */
  pauseAfter(index: number): number {
    const ordinal = this.ordinalUpTo(index);
    if (ordinal < 0 || ordinal + 1 >= this.count) return 0;
    const wait = this.timeOf(this.at(ordinal + 1)) - this.timeOf(this.at(ordinal));
    return wait > longestPause && wait > this.reached(ordinal + 1) - this.reached(ordinal)
      ? wait
      : 0;
  }

  private asWritten(
    { timingMap, timeOf }: Pick<Timeline, "timingMap" | "timeOf">,
    slowly: boolean,
  ): (ordinal: number) => number {
    if (!this.revisions && !slowly) {
      const start = timingMap.playedAt(this.first);
      return (ordinal) => timingMap.playedAt(this.first + Math.max(0, ordinal)) - start;
    }
    const shown = compressed(
      (ordinal) => timeOf(this.at(ordinal)),
      this.count,
      slowly ? readingStep : pauseShown,
    );
    return (ordinal) => shown[ordinal] ?? 0;
  }

  private at(ordinal: number): number {
    return this.revisions ? (this.revisions[ordinal] ?? 0) : this.first + ordinal;
  }

  private ordinalUpTo(index: number): number {
    return this.revisions
      ? lastUpTo(this.revisions, index)
      : Math.max(-1, Math.min(index, this.last) - this.first);
  }
}

import { lastUpTo, firstWhere } from "@/events/core/binary-search";
import { longestPause, pauseShown, type Span } from "./timing-map";
import { type Timeline } from "./timeline";

/** How fast a history runs: as it was written, every edit alike, or all of it within so many milliseconds. */
export type Pacing = { kind: "real" } | { kind: "even" } | { kind: "within"; ms: number };

/**
 * What is visited: ascending revisions, or all of them (null); `slowly`, if each is to be read
 * before the next comes.
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
 * One way through a history: which revisions are visited, and when each is reached in milliseconds
 * of playing. Between two visited revisions the earlier one is shown.
 */
export class PlaybackPath {
  /** The first and the last revision visited; of nothing both are 0, and `count` says so. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The whole length in milliseconds of playing. */
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

  /** When, in milliseconds of playing, a revision is reached, or the visited one before it. */
  playedAt(index: number): number {
    return this.reached(Math.max(0, this.ordinalUpTo(index)));
  }

  /** The visited revision that is shown at a time of playing. */
  revisionAt(played: number): number {
    const next = firstWhere(0, this.count, (ordinal) => this.reached(ordinal) > played);
    return this.at(Math.max(0, next - 1));
  }

  /** Whether a revision is visited. */
  playbackFilter(index: number): boolean {
    return this.upTo(index) === index;
  }

  /** The last visited revision that is not after this one; null where there is none. */
  upTo(index: number): number | null {
    const ordinal = this.ordinalUpTo(index);
    return ordinal < 0 ? null : this.at(ordinal);
  }

  /** The first visited revision that is not before this one; null where there is none. */
  from(index: number): number | null {
    const next = this.ordinalUpTo(index - 1) + 1;
    return next < this.count ? this.at(next) : null;
  }

  /**
   * The real milliseconds that are left out between a revision's being shown and the next visited
   * one; 0 where nothing is.
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

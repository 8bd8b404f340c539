import { lastUpTo } from "@/events/core/growing";
import { longestPause, pauseShown, type Span } from "./timing-map";
import { type Timeline } from "./timeline";

/** How fast a history runs: as it was written, every edit alike, or all of it within so many milliseconds. */
export type Pacing = { kind: "real" } | { kind: "even" } | { kind: "within"; ms: number };

/** What is visited: ascending moments, or all of them (null); `slowly`, if each is to be read before the next comes. */
export type PlaybackFilter = { moments: Uint32Array | null; slowly: boolean };

/** Every moment, at the pace of writing. */
export const everyMoment: PlaybackFilter = { moments: null, slowly: false };

type Plan = { pacing: Pacing; playbackFilter: PlaybackFilter; range: Span | null };

const evenStep = 120;
const readingStep = 2_000;

function within(moments: Uint32Array, { from, to }: Span): Uint32Array {
  return moments.subarray(lastUpTo(moments, from - 1) + 1, lastUpTo(moments, to) + 1);
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
 * One way through a history: which moments are visited, and when each is reached in milliseconds of playing. Between two
 * visited moments the earlier one is shown.
 */
export class PlaybackPath {
  /** The first and the last moment visited; of nothing both are 0, and `count` says so. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The whole length in milliseconds of playing. */
  readonly length: number;
  private readonly moments: Uint32Array | null;
  private readonly reached: (ordinal: number) => number;
  private readonly timeOf: Timeline["timeOf"];

  constructor(
    timeline: Pick<Timeline, "length" | "timingMap" | "timeOf">,
    { pacing, playbackFilter, range }: Plan,
  ) {
    const whole = range ?? { from: 0, to: timeline.length - 1 };
    this.timeOf = timeline.timeOf;
    this.moments = playbackFilter.moments && within(playbackFilter.moments, whole);
    this.count = this.moments ? this.moments.length : Math.max(0, whole.to - whole.from + 1);
    this.first = this.moments ? (this.moments[0] ?? 0) : whole.from;
    this.last = this.moments ? (this.moments.at(-1) ?? 0) : whole.to;
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

  /** When, in milliseconds of playing, a moment is reached, or the visited one before it. */
  playedAt(index: number): number {
    return this.reached(Math.max(0, this.ordinalUpTo(index)));
  }

  /** The visited moment that is shown at a time of playing. */
  momentAt(played: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.reached(middle) <= played) low = middle + 1;
      else high = middle;
    }
    return this.at(Math.max(0, low - 1));
  }

  /** Whether a moment is visited. */
  playbackFilter(index: number): boolean {
    return this.upTo(index) === index;
  }

  /** The last visited moment that is not after this one; null where there is none. */
  upTo(index: number): number | null {
    const ordinal = this.ordinalUpTo(index);
    return ordinal < 0 ? null : this.at(ordinal);
  }

  /** The first visited moment that is not before this one; null where there is none. */
  from(index: number): number | null {
    const next = this.ordinalUpTo(index - 1) + 1;
    return next < this.count ? this.at(next) : null;
  }

  /** The real milliseconds that are left out between a moment's being shown and the next visited one; 0 where nothing is. */
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
    if (!this.moments && !slowly) {
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
    return this.moments ? (this.moments[ordinal] ?? 0) : this.first + ordinal;
  }

  private ordinalUpTo(index: number): number {
    return this.moments
      ? lastUpTo(this.moments, index)
      : Math.max(-1, Math.min(index, this.last) - this.first);
  }
}

import { lastUpTo, firstWhere } from "@/events/core/binary-search";
import { grown } from "@/events/core/bytes/growing";

/**
 * The longest pause, in real milliseconds, that is played in full, and the playback time of longer
 * pauses.
 */
export const longestPause = 2_000;
export const pauseShown = 600;
/** The pause that ends a session, in milliseconds. */
export const sessionPause = 30 * 60_000;
const breathPause = 2_000;

export type Span = { from: number; to: number };
/** The time of each revision of a history, in milliseconds. Times never decrease. */
type Times = { length: number; at: (index: number) => number };

function isList(times: readonly number[] | Times): times is readonly number[] {
  return Array.isArray(times);
}

/**
 * The pauses that the player skips: the revisions after them, the total time skipped by then, and
 * the sessions.
 */
export type Pauses = { before: Uint32Array; leftOut: Float64Array; sessions: Span[] };

/** Finds the pauses of more than two seconds in one pass. */
export function pausesOf({ length, at }: Times): Pauses {
  const before: number[] = [];
  const leftOut: number[] = [];
  const sessions: Span[] = length > 0 ? [{ from: 0, to: length - 1 }] : [];
  let skipped = 0;
  for (let index = 1, last = at(0); index < length; index += 1) {
    const time = at(index);
    const wait = time - last;
    last = time;
    if (wait <= longestPause) continue;
    skipped += wait - pauseShown;
    before.push(index);
    leftOut.push(skipped);
    const session = sessions.at(-1);
    if (wait > sessionPause && session) {
      session.to = index - 1;
      sessions.push({ from: index, to: length - 1 });
    }
  }
  return { before: Uint32Array.from(before), leftOut: Float64Array.from(leftOut), sessions };
}

/** Maps a history's real time to playback time. Pauses of more than two seconds last 0.6 s. */
export class TimingMap {
  private readonly times: Times;
  private readonly pauses: Pauses;

  constructor(times: readonly number[] | Times, pauses?: Pauses) {
    this.times = isList(times) ? { length: times.length, at: (index) => times[index] ?? 0 } : times;
    this.pauses = pauses ?? pausesOf(this.times);
  }

  get sessions(): readonly Span[] {
    return this.pauses.sessions;
  }

  /** Returns the total playback time in milliseconds. */
  get length(): number {
    return this.playedAt(this.times.length - 1);
  }

  /** Returns the playback time in milliseconds at which a revision is reached. */
  playedAt(index: number): number {
    const { length, at } = this.times;
    if (length === 0) return 0;
    const within = Math.max(0, Math.min(index, length - 1));
    return at(within) - at(0) - (this.pauses.leftOut[lastUpTo(this.pauses.before, within)] ?? 0);
  }

  /** Returns the last revision that is reached by a playback time. */
  revisionAt(played: number): number {
    const next = firstWhere(0, this.times.length, (index) => this.playedAt(index) > played);
    return Math.max(0, next - 1);
  }

  /** Returns the session of a revision. */
  sessionOf(index: number): number {
    const { sessions } = this;
    const next = firstWhere(
      0,
      sessions.length,
      (session) => (sessions[session]?.from ?? 0) > index,
    );
    return Math.max(0, next - 1);
  }
}

/** Returns the first revisions of groups: one author's revisions without a pause of two seconds. */
export function groupStarts(
  { length, at }: Times,
  authors: ArrayLike<number>,
  alone: (index: number) => boolean,
): Uint32Array {
  let starts = new Uint32Array(64);
  let count = 0;
  for (let index = 0, last = 0; index < length; index += 1) {
    const time = at(index);
    const follows =
      index > 0 &&
      authors[index] === authors[index - 1] &&
      time - last <= breathPause &&
      !alone(index) &&
      !alone(index - 1);
    last = time;
    if (follows) continue;
    starts = grown(starts, count + 1);
    starts[count] = index;
    count += 1;
  }
  return starts.slice(0, count);
}

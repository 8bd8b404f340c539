/** Real milliseconds of silence that are played in full, and what a longer pause is played in. */
export const longestPause = 2_000
export const pauseShown = 600
const sessionPause = 30 * 60_000
const breathPause = 2_000

export type Span = { from: number; to: number }
/** A pause that the player leaves out: `wait` real milliseconds before the moment `before`. */
export type Pause = { before: number; wait: number }

/** How a history's real time maps to the player's: pauses of more than two seconds last 0.6 s. */
export class Pace {
  private readonly shown: Float64Array
  readonly sessions: Span[]

  constructor(times: ArrayLike<number>) {
    this.shown = new Float64Array(times.length)
    const sessions: Span[] = times.length > 0 ? [{ from: 0, to: times.length - 1 }] : []
    for (let index = 1; index < times.length; index += 1) {
      const wait = (times[index] ?? 0) - (times[index - 1] ?? 0)
      this.shown[index] = (this.shown[index - 1] ?? 0) + (wait > longestPause ? pauseShown : Math.max(0, wait))
      const last = sessions.at(-1)
      if (wait > sessionPause && last) {
        last.to = index - 1
        sessions.push({ from: index, to: times.length - 1 })
      }
    }
    this.sessions = sessions
  }

  /** The whole length in milliseconds of playing. */
  get length(): number {
    return this.shown.at(-1) ?? 0
  }

  /** When, in milliseconds of playing, a moment is reached. */
  playedAt(index: number): number {
    return this.shown[Math.max(0, Math.min(index, this.shown.length - 1))] ?? 0
  }

  /** The last moment that is reached by a time of playing. */
  momentAt(played: number): number {
    let low = 0
    let high = this.shown.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.shown[middle] ?? 0) <= played) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  /** The session that a moment belongs to. */
  sessionOf(index: number): number {
    return Math.max(0, this.sessions.findLastIndex(({ from }) => from <= index))
  }
}

/** The first moments of groups: what one author did in one go, without a pause of two seconds. */
export function groupStarts(times: ArrayLike<number>, authors: ArrayLike<number>, alone: (index: number) => boolean): Uint32Array {
  const starts: number[] = []
  for (let index = 0; index < times.length; index += 1) {
    const wait = (times[index] ?? 0) - (times[index - 1] ?? 0)
    const follows = index > 0 && authors[index] === authors[index - 1] && wait <= breathPause && !alone(index) && !alone(index - 1)
    if (!follows) starts.push(index)
  }
  return Uint32Array.from(starts)
}

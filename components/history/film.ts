import { type Timeline } from '../../events/timeline'

/** A session's stretch of the film, in fractions of its width. */
export type Reel = { from: number; to: number; left: number; right: number; begins: number; pauseBefore: number }
/** How busy an author was in one slice of a session, 0 to 1. */
export type Lane = { author: number; bars: { x: number; height: number }[] }
export type Film = { reels: Reel[]; lanes: Lane[][]; barWidth: number }

const breakShare = 0.05
const breaksAtMost = 0.35
const shortest = 0.04
const barsAcross = 150

/** Lays a history out on a line: sessions by how long they play, the pauses between them as short breaks. */
export function filmOf({ pace, authorOf, timeOf, authors }: Timeline): Film {
  const { sessions } = pace
  const breaks = Math.min((sessions.length - 1) * breakShare, breaksAtMost)
  const room = 1 - breaks
  const least = Math.min(shortest, room / Math.max(1, sessions.length * 2))
  const weights = sessions.map(({ from, to }) => pace.playedAt(to) - pace.playedAt(from) + (to - from + 1) * 50)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const spare = room - least * sessions.length
  const reels: Reel[] = []
  let left = 0
  for (const [index, { from, to }] of sessions.entries()) {
    const right = left + least + (spare * (weights[index] ?? 0)) / Math.max(1, whole)
    const pauseBefore = index === 0 ? 0 : timeOf(from) - timeOf(from - 1)
    reels.push({ from, to, left, right, begins: timeOf(from), pauseBefore })
    left = right + (sessions.length > 1 ? breaks / (sessions.length - 1) : 0)
  }
  const counts = reels.map((reel) => {
    const bars = Math.max(4, Math.round((reel.right - reel.left) * barsAcross))
    const table = authors.map(() => new Uint32Array(bars))
    for (let index = reel.from; index <= reel.to; index += 1) {
      const within = (positionOf({ reels: [reel] }, pace, index) - reel.left) / (reel.right - reel.left)
      const row = table[authorOf(index)]
      const bar = Math.min(bars - 1, Math.max(0, Math.floor(within * bars)))
      if (row) row[bar] = (row[bar] ?? 0) + 1
    }
    return table
  })
  const most = Math.max(1, ...counts.flat().map((row) => row.reduce((high, count) => Math.max(high, count), 0)))
  const lanes = counts.map((table) =>
    table.map((row, author) => ({
      author,
      bars: [...row].flatMap((count, bar) => (count === 0 ? [] : [{ x: bar / row.length, height: 0.18 + 0.82 * Math.sqrt(count / most) }])),
    })),
  )
  return { reels, lanes, barWidth: 1 / barsAcross }
}

/** Where on the film, 0 to 1, a moment stands. */
export function positionOf({ reels }: Pick<Film, 'reels'>, pace: Timeline['pace'], index: number): number {
  const reel = reels.findLast(({ from }) => from <= index) ?? reels[0]
  if (!reel) return 0
  const start = pace.playedAt(reel.from)
  const length = pace.playedAt(reel.to) - start
  const within = length > 0 ? (pace.playedAt(index) - start) / length : index >= reel.to ? 1 : 0
  return reel.left + Math.min(1, Math.max(0, within)) * (reel.right - reel.left)
}

/** The moment that stands at a place, 0 to 1, on the film; in a break, the end of the session before it. */
export function momentAtPosition({ reels }: Pick<Film, 'reels'>, pace: Timeline['pace'], position: number): number {
  const reel = reels.findLast(({ left }) => left <= position) ?? reels[0]
  if (!reel) return 0
  const within = Math.min(1, Math.max(0, (position - reel.left) / Math.max(1e-9, reel.right - reel.left)))
  const start = pace.playedAt(reel.from)
  const index = pace.momentAt(start + within * (pace.playedAt(reel.to) - start) + 0.5)
  return Math.max(reel.from, Math.min(reel.to, index))
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { row } from '../../events/rows.fixture'
import { openTimeline } from '../../events/timeline'
import { filmOf, momentAtPosition, positionOf } from './film'

const start = Date.UTC(2026, 10, 14, 15, 42)
const gaps = fc.array(fc.oneof(fc.integer({ min: 20, max: 900 }), fc.integer({ min: 3000, max: 60_000 }), fc.constant(7_200_000)), {
  minLength: 1,
  maxLength: 80,
})

function timelineOf(steps: number[]) {
  let time = start
  return openTimeline(
    [0, ...steps].map((gap, index) => row({ version: index + 1, actorId: index % 3 === 0 ? 'Ana' : 'Ben' }, (time += gap))),
  )
}

describe('film', () => {
  it('stands every moment at a place of its own session, later ones further on, and finds it there again', () => {
    fc.assert(
      fc.property(gaps, (steps) => {
        const timeline = timelineOf(steps)
        const film = filmOf(timeline)
        let before = -1
        for (let index = 0; index < timeline.length; index += 1) {
          const position = positionOf(film, timeline.pace, index)
          expect(position).toBeGreaterThan(before - 1e-12)
          expect(position).toBeLessThanOrEqual(1 + 1e-9)
          expect(Math.abs(momentAtPosition(film, timeline.pace, position) - index)).toBeLessThanOrEqual(1)
          before = position
        }
        expect(film.reels.length).toBe(timeline.pace.sessions.length)
        expect(momentAtPosition(film, timeline.pace, 0)).toBe(0)
        expect(momentAtPosition(film, timeline.pace, 1)).toBe(timeline.length - 1)
      }),
    )
  })

  it('draws a bar in the lane of whoever wrote, and nowhere else', () => {
    const { lanes } = filmOf(timelineOf([100, 100, 100, 100, 100]))
    const [ana, ben] = lanes[0] ?? []
    expect([ana?.author, ben?.author]).toEqual([0, 1])
    expect(ana?.bars.length).toBeGreaterThan(0)
    expect((ana?.bars.length ?? 0) + (ben?.bars.length ?? 0)).toBe(6)
    for (const { height } of [...(ana?.bars ?? []), ...(ben?.bars ?? [])]) expect(height).toBeLessThanOrEqual(1)
  })
})

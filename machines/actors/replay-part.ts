import { Course, everyMoment, type Pacing } from '../../events/replay/course'
import { type Timeline } from '../../events/replay/timeline'
import { standingAt, type Standing } from './replay-steps'

/** The beginning of a history while the rest is on its way, and whether a moment of it is what is asked for. */
export type Part = { timeline: Timeline; course: Course; sought: boolean }
type Place = Standing & { part: Part }

/** Opens a beginning: it stands at the moment that was asked for, or, if that is not in it (null), as far as it goes. */
export function partOf(timeline: Timeline, pacing: Pacing, asked: number | null): Place {
  const course = new Course(timeline, { pacing, visits: everyMoment, range: null })
  return { part: { timeline, course, sought: asked !== null }, ...standingAt(timeline, course, asked ?? timeline.length - 1) }
}

/** Somebody goes somewhere in a beginning; nothing where there is none. */
export function soughtIn(part: Part | null, index: (part: Part) => number): Partial<Place> {
  return part ? { part: { ...part, sought: true }, ...standingAt(part.timeline, part.course, index(part)) } : {}
}

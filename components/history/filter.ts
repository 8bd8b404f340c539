import { everyMoment, type Visits } from '../../events/replay/course'
import { momentsOfBlocks, type OutlineSection } from '../../events/replay/outline'
import { type Timeline } from '../../events/replay/timeline'

export type FilterKind = 'everything' | 'comments' | 'restores'

/** What is to be seen of a history: one person's part of it (null: everybody's), and of that everything, one section, or one kind of event. */
export type Filter = { author: string | null; what: FilterKind | OutlineSection }

/** Nothing left out. */
export const noFilter: Filter = { author: null, what: 'everything' }

const kinds: Record<Exclude<FilterKind, 'everything'>, RegExp> = {
  comments: /^(thread|comment)\./,
  restores: /^document\.(reverted|reworked|merged|restored)$/,
}

/** Whether a filter leaves anything out. */
export function isFiltering({ author, what }: Filter): boolean {
  return author !== null || what !== 'everything'
}

function momentsOf(timeline: Timeline, what: Filter['what']): Uint32Array | null {
  if (typeof what !== 'string') return momentsOfBlocks(timeline, what)
  if (what === 'everything') return null
  return Uint32Array.from(new Set(timeline.marks.filter(({ type }) => kinds[what].test(type)).map(({ moment }) => moment))).sort()
}

function of(timeline: Timeline, author: string): Uint32Array {
  const wanted = timeline.authors.indexOf(author)
  const moments: number[] = []
  for (let index = 0; index < timeline.length; index += 1) if (timeline.authorOf(index) === wanted) moments.push(index)
  return Uint32Array.from(moments)
}

/** What a filter leaves to be visited. Single events are given time to be read. */
export function visitsOf(timeline: Timeline, filter: Filter): Visits {
  if (!isFiltering(filter)) return everyMoment
  const moments = momentsOf(timeline, filter.what)
  const slowly = filter.what === 'comments' || filter.what === 'restores'
  if (filter.author === null) return { moments, slowly }
  const wanted = timeline.authors.indexOf(filter.author)
  return { moments: moments?.filter((index) => timeline.authorOf(index) === wanted) ?? of(timeline, filter.author), slowly }
}

/** A filter in words, as the line above the film says it: "Ana, in “The rule”". */
export function filterWords({ author, what }: Filter, nameOf: (userId: string) => string): string {
  const who = author === null ? '' : nameOf(author)
  const which = typeof what !== 'string' ? `“${what.title}”` : what === 'comments' ? 'comments' : what === 'restores' ? 'restores' : ''
  if (which === '') return `Only ${who}`
  return who === '' ? `Only ${which}` : `Only ${who}, ${which}`
}

import { type Found } from './deleted-text-search'
import { type PassageRange } from './passage'
import { passageAt } from './returning-passage'
import { rewritingOf } from './rewriting'
import { type Place, scriptOf } from '../replay/script'
import { type Timeline } from '../replay/timeline'
import { never } from '../yjs/lifespans'

/** A passage that went: as it read, lines parted by line breaks, its place in the script, and the last moment at which it stood there. */
export type LostPassage = { text: string; range: PassageRange; at: number }

/** So many lines in which nothing stood then may lie between two that went together. */
const mostBetween = 1_000

/** What became of a character in the go that took words away: it did not stand there, it stayed, or it went. */
type Fate = 'absent' | 'stayed' | 'went'

/** The whole passage that what was found went with: what the same person took away there without a longer pause, over as many lines as it took. Null where nothing of it is gone. */
export function lostWith(timeline: Timeline, { line, start, end, until, gone }: Found): LostPassage | null {
  if (until === null || !gone) return null
  const { lines } = scriptOf(timeline)
  const rewriting = rewritingOf(timeline)
  const [group, groupEnd] = [timeline.groupBefore(until + 1), timeline.groupAfter(until)]
  const fatesIn = (index: number): ((offset: number) => Fate) | null => {
    const own = lines[index]
    if (!own) return null
    const { died } = rewriting.livesOf(own)
    return (offset) => {
      if ((own.born[offset] ?? never) >= until || (own.died[offset] ?? 0) < group) return 'absent'
      return (died[offset] ?? never) < groupEnd ? 'went' : 'stayed'
    }
  }
  const furthest = (from: Place, step: 1 | -1): Place => {
    let last = from
    for (let index = from.line, between = 0; between < mostBetween; index += step) {
      const fateOf = fatesIn(index)
      if (!fateOf) return last
      const length = lines[index]?.text.length ?? 0
      let empty = true
      for (let at = index === from.line ? from.offset : step > 0 ? 0 : length - 1; at >= 0 && at < length; at += step) {
        const fate = fateOf(at)
        if (fate === 'stayed') return last
        if (fate === 'absent') continue
        last = { line: index, offset: at }
        empty = false
      }
      between = empty ? between + 1 : 0
    }
    return last
  }
  const range = { start: furthest({ line, offset: start }, -1), end: furthest({ line, offset: end }, 1) }
  const fateOf = fatesIn(line)
  let at = group - 1
  for (let offset = start; offset <= end; offset += 1) if (fateOf?.(offset) === 'went') at = Math.max(at, lines[line]?.born[offset] ?? 0)
  return { text: passageAt(timeline, at, range), range, at }
}

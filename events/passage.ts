import { isAtOnce } from './attribution'
import { never } from './lifespans'
import { type Line, type Place, scriptOf, standsAt } from './script'
import { type Timeline } from './timeline'

/** A stretch of the script, from its first character to its last, over as many lines as it takes. */
export type PassageRange = { start: Place; end: Place }

/** What one author did to a passage in one go: `from` and `to` are the go's moments. */
export type PassageChange = { from: number; to: number; author: number; added: string; removed: string; atOnce: boolean }

type Slice = { line: Line; from: number; to: number }
type Go = { from: number; to: number; author: number }

const longestBreath = 2 * 60_000
const elision = ' … '

function slicesOf({ lines }: { lines: Line[] }, { start, end }: PassageRange): Slice[] {
  return lines.slice(start.line, end.line + 1).map((line, index) => ({
    line,
    from: index === 0 ? start.offset : 0,
    to: start.line + index === end.line ? end.offset + 1 : line.text.length,
  }))
}

function momentsOf(slices: Slice[]): number[] {
  const moments = new Set<number>()
  for (const { line, from, to } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      moments.add(line.born[offset] ?? 0)
      const died = line.died[offset] ?? never
      if (died !== never) moments.add(died)
    }
  }
  return [...moments].sort((a, b) => a - b)
}

/** Gathers moments into goes: of one author, without a pause of two minutes, within one session. */
function goesOf(timeline: Timeline, moments: number[]): Go[] {
  const goes: Go[] = []
  for (const moment of moments) {
    const last = goes.at(-1)
    const author = timeline.authorOf(moment)
    const near = last && timeline.timeOf(moment) - timeline.timeOf(last.to) <= longestBreath
    if (last && near && last.author === author) last.to = moment
    else goes.push({ from: moment, to: moment, author })
  }
  return goes
}

/** The characters of a passage for which `takes` holds; what stood between two of them at a moment is left out visibly. */
function excerpt(slices: Slice[], at: number, takes: (born: number, died: number) => boolean): string {
  const parts: string[] = []
  let open = ''
  const close = () => {
    if (open.trim() !== '') parts.push(open.trim())
    open = ''
  }
  for (const { line, from, to } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      if (takes(line.born[offset] ?? 0, line.died[offset] ?? never)) open += line.text[offset] ?? ''
      else if (standsAt(line, offset, at)) close()
    }
    close()
  }
  return parts.join(elision)
}

/**
 * What became of a passage, in order: what was written in it, reworded and deleted, by whom and when. What somebody
 * typed and took back in one go is left out.
 */
export function lifeOfPassage(timeline: Timeline, range: PassageRange): PassageChange[] {
  const slices = slicesOf(scriptOf(timeline), range)
  return goesOf(timeline, momentsOf(slices)).flatMap(({ from, to, author }) => {
    const within = (moment: number) => moment >= from && moment <= to
    const added = excerpt(slices, to, (born, died) => within(born) && died > to)
    const removed = excerpt(slices, from - 1, (born, died) => born < from && within(died))
    if (added === '' && removed === '') return []
    return [{ from, to, author, added, removed, atOnce: added !== '' && isAtOnce(timeline, to) }]
  })
}

/** The range from the first to the last of the places given; null where there are none. */
export function rangeOf(places: readonly Place[]): PassageRange | null {
  const ordered = places.toSorted((a, b) => a.line - b.line || a.offset - b.offset)
  const [start, end] = [ordered[0], ordered.at(-1)]
  return start && end ? { start, end } : null
}

import { isAtOnce } from './attribution'
import { type Carriage, type Carried, type Provenance, provenanceOf, type Writer } from '../lineage/carriage'
import { never } from '../yjs/lifespans'
import { idOf, type Line, type Place, scriptOf, standsAt } from '../replay/script'
import { type Timeline } from '../replay/timeline'

/** A stretch of the script, from its first character to its last, over as many lines as it takes. */
export type PassageRange = { start: Place; end: Place }

/** How a passage came from elsewhere, and who wrote it there, as far as that is known. */
export type PassageCarried = { carriage: Carriage; writers: Writer[] }

/** What one author did to a passage in one go: `from` and `to` are the go's moments. */
export type PassageChange = { from: number; to: number; author: number; added: string; removed: string; atOnce: boolean; carried: PassageCarried | null }

type Slice = { line: Line; from: number; to: number }
type Go = { from: number; to: number; author: number; carriage: Carriage | null }

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
function goesOf(timeline: Timeline, moments: number[], provenance: Provenance): Go[] {
  const goes: Go[] = []
  for (const moment of moments) {
    const last = goes.at(-1)
    const author = timeline.authorOf(moment)
    const near = last && timeline.timeOf(moment) - timeline.timeOf(last.to) <= longestBreath
    const carriage = provenance.carriageAt(moment)
    if (last && near && last.author === author && last.carriage === carriage) last.to = moment
    else goes.push({ from: moment, to: moment, author, carriage })
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

/** What of a passage came with a carriage; null where all of it turns out to be the carrier's own words. */
function carriedIn(slices: Slice[], carriage: Carriage, provenance: Provenance): PassageCarried | null {
  const found = new Set<Carried>()
  for (const { line, from, to } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      const carried = provenance.of(line, offset)
      if (carried?.carriage === carriage) found.add(carried)
    }
  }
  if (found.size === 0) return null
  return { carriage, writers: [...found].flatMap(({ writer }) => writer ?? []) }
}

/**
 * What became of a passage, in order: what was written in it, reworded and deleted, by whom and when. What somebody
 * typed and took back in one go is left out.
 */
export function lifeOfPassage(timeline: Timeline, range: PassageRange, provenance = provenanceOf(timeline)): PassageChange[] {
  const slices = slicesOf(scriptOf(timeline), range)
  return goesOf(timeline, momentsOf(slices), provenance).flatMap(({ from, to, author, carriage }) => {
    const within = (moment: number) => moment >= from && moment <= to
    const added = excerpt(slices, to, (born, died) => within(born) && died > to)
    const removed = excerpt(slices, from - 1, (born, died) => born < from && within(died))
    if (added === '' && removed === '') return []
    const carried = carriage && carriedIn(slices, carriage, provenance)
    return [{ from, to, author, added, removed, atOnce: !carried && added !== '' && isAtOnce(timeline, to), carried }]
  })
}

/** The range from the first to the last of the places given; null where there are none. */
export function rangeOf(places: readonly Place[]): PassageRange | null {
  const ordered = places.toSorted((a, b) => a.line - b.line || a.offset - b.offset)
  const [start, end] = [ordered[0], ordered.at(-1)]
  return start && end ? { start, end } : null
}

/** A passage of one timeline in a later one of the same document; null where its characters are not in it. */
export function passageIn(later: Timeline, earlier: Timeline, { start, end }: PassageRange): PassageRange | null {
  const moved = ({ line, offset }: Place): Place | null => {
    const own = scriptOf(earlier).lines[line]
    const id = own && idOf(own, offset)
    return id ? scriptOf(later).placeOf(id.client, id.clock) : null
  }
  const [from, to] = [moved(start), moved(end)]
  return from && to ? { start: from, end: to } : null
}

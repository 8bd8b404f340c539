import { type Found } from './deleted-text-search'
import { never } from '../yjs/lifespans'
import { idOf, type Line, scriptOf } from '../replay/script'
import { type Timeline } from '../replay/timeline'

/** Characters that went, and the Yjs id of the character they stood behind; null where nothing of their line before them still stands. */
export type LostPiece = { text: string; behind: { client: number; clock: number } | null }

/** A passage that went: as it read, what of it is gone, and its place in the script. */
export type LostPassage = { text: string; pieces: LostPiece[]; line: number; from: number; to: number }

/** The whole passage that what was found went with: what the same person took away there without a longer pause. */
export function lostWith(timeline: Timeline, { line: index, start, end, until }: Found): LostPassage | null {
  const line = scriptOf(timeline).lines[index]
  if (!line || until === null) return null
  const [group, groupEnd] = [timeline.groupBefore(until + 1), timeline.groupAfter(until)]
  const stood = (offset: number) => (line.born[offset] ?? never) < until && (line.died[offset] ?? 0) >= group
  const went = (offset: number) => stood(offset) && (line.died[offset] ?? never) < groupEnd
  let [from, to] = [start, end + 1]
  for (let at = start - 1; at >= 0 && (!stood(at) || went(at)); at -= 1) if (went(at)) from = at
  for (let at = end + 1; at < line.text.length && (!stood(at) || went(at)); at += 1) if (went(at)) to = at + 1
  let text = ''
  for (let at = from; at < to; at += 1) if (stood(at)) text += line.text[at] ?? ''
  return { text, pieces: piecesOf(line, from, to, stood), line: index, from, to }
}

function piecesOf(line: Line, from: number, to: number, stood: (offset: number) => boolean): LostPiece[] {
  const pieces: LostPiece[] = []
  let open: LostPiece | null = null
  let behind = from - 1
  while (behind >= 0 && line.died[behind] !== never) behind -= 1
  for (let at = from; at < to; at += 1) {
    if (line.died[at] === never) {
      behind = at
      open = null
    } else if (stood(at)) {
      if (!open) pieces.push((open = { text: '', behind: behind < 0 ? null : idOf(line, behind) }))
      open.text += line.text[at] ?? ''
    }
  }
  return pieces
}

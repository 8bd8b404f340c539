import { scriptOf } from './script'
import { type Timeline } from './timeline'

/** A stretch of standing text that one author wrote in one session, either by typing or at once. */
export type Passage = {
  line: number
  /** The offsets in the line's script: the first character, and behind the last; what is gone may lie between. */
  from: number
  to: number
  text: string
  /** An index into the timeline's authors. */
  author: number
  /** The moments of its first and its last character. */
  first: number
  last: number
  atOnce: boolean
}

/** From how many characters on a single edit counts as inserted at once rather than typed. */
export const fewestAtOnce = 32

const sizes = new WeakMap<Timeline, Uint32Array>()

/** How many characters each moment brought into the text. */
export function sizesOf(timeline: Timeline): Uint32Array {
  const known = sizes.get(timeline)
  if (known) return known
  const counted = new Uint32Array(timeline.length)
  for (const { born } of scriptOf(timeline).lines) {
    for (const moment of born) if (moment < counted.length) counted[moment] = (counted[moment] ?? 0) + 1
  }
  sizes.set(timeline, counted)
  return counted
}

/** Whether a moment brought its text in at once: pasted, dropped, brought back, put there by a program. */
export function isAtOnce(timeline: Timeline, moment: number): boolean {
  return (sizesOf(timeline)[moment] ?? 0) >= fewestAtOnce
}

/** Who wrote the text that stood at a moment, passage by passage, in the order of the page. */
export function passagesAt(timeline: Timeline, at: number): Passage[] {
  const passages: Passage[] = []
  for (const [line, { text, born, died }] of scriptOf(timeline).lines.entries()) {
    let open: Passage | null = null
    for (let offset = 0; offset < text.length; offset += 1) {
      const moment = born[offset] ?? 0
      if (moment > at || (died[offset] ?? 0) <= at) continue
      const author = timeline.authorOf(moment)
      const letter = text[offset] ?? ''
      if (open && open.author === author && (moment === open.last || isNear(timeline, open, moment))) {
        open.to = offset + 1
        open.text += letter
        open.first = Math.min(open.first, moment)
        open.last = Math.max(open.last, moment)
      } else {
        open = { line, from: offset, to: offset + 1, text: letter, author, first: moment, last: moment, atOnce: isAtOnce(timeline, moment) }
        passages.push(open)
      }
    }
  }
  return passages
}

function isNear(timeline: Timeline, passage: Passage, moment: number): boolean {
  const { pace } = timeline
  return pace.sessionOf(passage.last) === pace.sessionOf(moment) && passage.atOnce === isAtOnce(timeline, moment)
}

/** How many standing characters each author wrote, by index into the timeline's authors. */
export function sharesAt(timeline: Timeline, at: number): number[] {
  const shares = timeline.authors.map(() => 0)
  for (const { author, text } of passagesAt(timeline, at)) shares[author] = (shares[author] ?? 0) + text.length
  return shares
}

import { speeds, type Address, type Opening } from '../../machines/actors/replay-opening'
import { type Asked } from '../compare/use-compare'

const number = /^\d{1,15}$/

function whole(text: string | null): number | null {
  return text !== null && number.test(text) ? Number(text) : null
}

/** What an address asks the player for: `?at=12`, `?at=12&edit=3`, `?from=5&to=12`, with `&play=1&speed=4` and `&within=20` seconds, or `?compare=5&with=12`,
 * where `since` and `edit` name the edits within the two. What makes no sense is left out. */
export function openingOf(query: URLSearchParams): Opening & Asked {
  const compare = whole(query.get('compare'))
  const version = whole(query.get(compare === null ? 'at' : 'with'))
  const from = whole(query.get('from'))
  const to = whole(query.get('to'))
  const within = whole(query.get('within'))
  return {
    compare: compare === null ? null : { version: compare, edit: whole(query.get('since')) },
    at: version === null ? null : { version, edit: whole(query.get('edit')) },
    range: from !== null && to !== null ? { from, to } : null,
    play: query.get('play') === '1',
    speed: speeds.find((speed) => `${speed}` === query.get('speed')) ?? 1,
    within: within === null || within === 0 ? null : within * 1000,
  }
}

type Shown = { at: Address; range: { from: number; to: number } | null }

/** The address, from its question mark on, of a moment and of the range that is played. */
export function addressOf({ at, range }: Shown): string {
  const edit = at.edit === null ? '' : `&edit=${at.edit}`
  return `?at=${at.version}${edit}${range ? `&from=${range.from}&to=${range.to}` : ''}`
}

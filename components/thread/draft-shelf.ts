import * as z from 'zod/mini'
import { type Anchor } from '../../events/anchor/anchor'

const anchor = z.object({ start: z.string(), end: z.string(), quote: z.string() })
const kept = z.object({ begun: z.nullable(z.object({ anchor, text: z.string() })), words: z.record(z.string(), z.string()) })
type Kept = z.output<typeof kept>

/** A thread that is being begun: on which words, and what is written so far. */
export type Begun = { anchor: Anchor; text: string }

/** One field's words that are not said yet. */
export type DraftSlot = { read: () => string; write: (text: string) => void }

/** What somebody has written about a document and not said yet, kept on this device until it is sent or discarded. */
export type DraftShelf = {
  begun: () => Begun | null
  begin: (begun: Begun | null) => void
  /** The words of the thread that is being begun. */
  beginning: DraftSlot
  /** The words of an answer to a thread, or of a comment's new wording, by its id. */
  slot: (id: string) => DraftSlot
}

const nothing: Kept = { begun: null, words: {} }

/** Opens the shelf of one person and one document; without `storage`, or where it is full, it lasts as long as the page. */
export function draftShelf(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null, userId: string, documentId: string): DraftShelf {
  const key = `palimpsest.drafts.${userId}.${documentId}`
  let held = load(storage, key)
  const hold = (next: Kept) => {
    held = next
    try {
      if (next.begun === null && Object.keys(next.words).length === 0) storage?.removeItem(key)
      else storage?.setItem(key, JSON.stringify(next))
    } catch {
      // The page still holds it; what would be lost is lost with the page alone.
    }
  }
  const begin = (begun: Begun | null) => hold({ ...held, begun })
  return {
    begun: () => held.begun,
    begin,
    beginning: {
      read: () => held.begun?.text ?? '',
      write: (text) => held.begun && begin({ ...held.begun, text }),
    },
    slot: (id) => ({
      read: () => held.words[id] ?? '',
      write(text) {
        const { [id]: _before, ...others } = held.words
        hold({ ...held, words: text === '' ? others : { ...others, [id]: text } })
      },
    }),
  }
}

function load(storage: Pick<Storage, 'getItem'> | null, key: string): Kept {
  try {
    const read = kept.safeParse(JSON.parse(storage?.getItem(key) ?? 'null'))
    return read.success ? read.data : nothing
  } catch {
    // Whatever stands there was not written by this page.
    return nothing
  }
}

/** This device's storage; null where the browser gives none. */
export function deviceStorage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

import * as z from 'zod/mini'
import { type Anchor } from '../../events/anchor/anchor'

const anchor = z.object({ start: z.string(), end: z.string(), quote: z.string() })
const sending = z.object({ slot: z.nullable(z.string()), anchor: z.nullable(anchor), text: z.string() })
const kept = z.object({
  begun: z.nullable(z.object({ anchor, text: z.string() })),
  words: z.record(z.string(), z.string()),
  sent: z._default(z.array(sending), []),
})
type Kept = z.output<typeof kept>

/** A thread that is being begun: on which words, and what is written so far. */
export type Begun = { anchor: Anchor; text: string }

/** Words on their way: to a thread that exists or a comment that is reworded (`slot`), or as a new thread on what `anchor` names. */
export type Sent = z.output<typeof sending>

/** One field's words that are not said yet. */
export type DraftSlot = {
  read: () => string
  write: (text: string) => void
  /** Holds words that were sent until it is known what came of them. */
  sent: (text: string, done: Promise<{ ok: boolean }>) => void
}

/** What somebody has written about a document and not said yet, kept on this device until it is recorded or discarded. */
export type DraftShelf = {
  begun: () => Begun | null
  begin: (begun: Begun | null) => void
  /** The words of the thread that is being begun. */
  beginning: DraftSlot
  /** The words of an answer to a thread, or of a comment's new wording, by its id. */
  slot: (id: string) => DraftSlot
  /** Makes drafts again of what an earlier page sent and could not bring into the log; a field that holds words by now waits for another page. */
  recover: (isRecorded: (sent: Sent) => boolean) => void
}

const prefix = 'palimpsest.drafts.'
const nothing: Kept = { begun: null, words: {}, sent: [] }

/** Opens the shelf of one person and one document; without `storage`, or where it is full, it lasts as long as the page. */
export function draftShelf(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null, userId: string, documentId: string): DraftShelf {
  const key = `${prefix}${userId}.${documentId}`
  let held = load(storage, key)
  let earlier: readonly Sent[] = held.sent
  const hold = (next: Kept) => {
    held = next
    try {
      if (isEmpty(next)) storage?.removeItem(key)
      else storage?.setItem(key, JSON.stringify(next))
    } catch {
      // The page still holds it; what would be lost is lost with the page alone.
    }
  }
  const begin = (begun: Begun | null) => hold({ ...held, begun })
  const send = (sent: Sent, done: Promise<{ ok: boolean }>) => {
    hold({ ...held, sent: [...held.sent, sent] })
    void done.then(() => hold({ ...held, sent: held.sent.filter((other) => other !== sent) }))
  }
  return {
    begun: () => held.begun,
    begin,
    beginning: {
      read: () => held.begun?.text ?? '',
      write: (text) => held.begun && begin({ ...held.begun, text }),
      sent: (text, done) => held.begun && send({ slot: null, anchor: held.begun.anchor, text }, done),
    },
    slot: (id) => ({
      read: () => held.words[id] ?? '',
      write(text) {
        const { [id]: _before, ...others } = held.words
        hold({ ...held, words: text === '' ? others : { ...others, [id]: text } })
      },
      sent: (text, done) => send({ slot: id, anchor: null, text }, done),
    }),
    recover(isRecorded) {
      let next = held
      for (const sent of earlier) {
        const { slot, anchor: about, text } = sent
        const recorded = isRecorded(sent)
        if (!recorded && slot !== null && next.words[slot] === undefined) next = { ...next, words: { ...next.words, [slot]: text } }
        else if (!recorded && about !== null && !next.begun?.text) next = { ...next, begun: { anchor: about, text } }
        else if (!recorded) continue
        next = { ...next, sent: next.sent.filter((other) => other !== sent) }
      }
      earlier = []
      if (next !== held) hold(next)
    },
  }
}

function isEmpty({ begun, words, sent }: Kept): boolean {
  return begun === null && Object.keys(words).length === 0 && sent.length === 0
}

/** Removes from this device what was written and not said, whoever wrote it; what was sent and not recorded stays, as unsaved edits do. */
export function forgetDrafts(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) => key.startsWith(prefix))
  for (const key of keys) {
    const { sent } = load(storage, key)
    if (sent.length === 0) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify({ ...nothing, sent }))
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

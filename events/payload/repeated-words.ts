import { type Ruled } from '../envelope'

/** So many letters that stand together in both are no chance. */
const enough = 6

const bare = (text: string) => text.toLowerCase().replace(/[\s\u200b-\u200f\u2060\ufeff]+/gu, '')

/** Whether a text repeats words: six letters that stand together in both, space and capitals aside, or all of the shorter one where it is shorter. */
export function repeats(text: string, words: string): boolean {
  const [one, other] = [bare(text), bare(words)].sort((a, b) => a.length - b.length)
  if (!one || !other) return false
  const length = Math.min(enough, one.length)
  // A letter or two are in everything.
  if (length < 3) return false
  for (let at = 0; at + length <= one.length; at += 1) if (other.includes(one.slice(at, at + length))) return true
  return false
}

/** An event that quotes a text: the words under discussion of a thread, or those of a passage that was brought back. */
export type Quoting = { version: number; actorId: string; quote: string; of: 'thread' | 'passage' }

/** The events among these that quote words, in their order; what is redacted quotes nothing any more. */
export function quotingEvents(rows: readonly Pick<Ruled, 'version' | 'type' | 'body' | 'actorId' | 'redactedBy'>[], words: string): Quoting[] {
  return rows.flatMap(({ version, type, body, actorId, redactedBy }) => {
    if ((type !== 'thread.opened' && type !== 'document.reworked') || redactedBy !== undefined) return []
    const quote = typeof body === 'object' && body !== null && !Array.isArray(body) ? body.quote : null
    if (typeof quote !== 'string' || !repeats(quote, words)) return []
    return [{ version, actorId, quote, of: type === 'thread.opened' ? ('thread' as const) : ('passage' as const) }]
  })
}

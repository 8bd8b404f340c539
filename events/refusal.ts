/** Why the database refuses an append; the same list, with the same names, is in the SQL function `private.refuse`. */
export const refusalNames = [
  'version-conflict',
  'illegal-transition',
  'not-permitted',
  'invalid-event',
  'too-large',
] as const

export type RefusalName = (typeof refusalNames)[number]
export type Refusal = { name: RefusalName; detail: string }

const isRefusalName = (name: unknown): name is RefusalName => refusalNames.some((known) => known === name)

/** Reads a PostgREST error; null means that it is no refusal but a fault. */
export function parseRefusal(error: { message: string; details?: string | null }): Refusal | null {
  return isRefusalName(error.message) ? { name: error.message, detail: error.details ?? '' } : null
}

const sentences = {
  'version-conflict':
    'Somebody changed this while you did. Your change was not applied; look at the new state and try again.',
  'illegal-transition': 'This is no longer possible in its present state. Nothing was changed; reload to see what is.',
  'not-permitted': 'You may not do this here. Nothing was changed; what you typed stays on this device. Ask an owner for access.',
  'invalid-event': 'This could not be recorded as it is. Nothing was changed; check what you entered and try again.',
  'too-large': 'This is too large to be recorded in one piece. Nothing was changed; try a smaller piece.',
} satisfies Record<RefusalName, string>

/** One sentence for the user: what happened, what it means for the text, what can be done. */
export function sentence(refusal: Refusal): string {
  return sentences[refusal.name]
}

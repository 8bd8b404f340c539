/** Somebody as the members table knows them; a colour is an index into the palette. */
export type Person = { userId: string; name: string; color: number }

/** The first word of a name, as people are called in a sentence. */
export function firstName(person: Pick<Person, 'name'>): string {
  return person.name.trim().split(/\s+/u)[0] || 'Somebody'
}

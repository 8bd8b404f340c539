import * as z from "zod/mini";
import type { PresenceEntry } from "./channel";

export const presenceStates = ["active", "idle", "away"] as const;
export type PresenceState = (typeof presenceStates)[number];

/**
 * One person with any number of open tabs. The user id is part of the key, which the server checks
 * against the token. The other fields are only claims. Names are read from the members table.
 */
export type Person = { userId: string; state: PresenceState; documentIds: string[]; tabs: number };

const claim = z.object({
  documentId: z.optional(z.nullable(z.string())),
  state: z.optional(z.enum(presenceStates)),
  clients: z.optional(z.array(z.number())),
});

/** Returns the user id in a presence entry's key. The payload's claims are not verified. */
export function userOf({ key }: Pick<PresenceEntry, "key">): string {
  return key.split(":")[0] ?? key;
}

/**
 * The Yjs client ids under which tabs claim to write, and the people with a tab that claims none.
 */
export type Writers = { clients: ReadonlySet<number>; silent: ReadonlySet<string> };

/** Returns the writers that presence entries claim. */
export function writersOf(entries: PresenceEntry[]): Writers {
  const clients = new Set<number>();
  const silent = new Set<string>();
  for (const entry of entries) {
    const { data } = claim.safeParse(entry.payload);
    if (data?.clients) for (const client of data.clients) clients.add(client);
    else if (data) silent.add(userOf(entry));
  }
  return { clients, silent };
}

/**
 * Returns the people behind presence entries, ordered by id. A person is as active as their most
 * active tab.
 */
export function peopleOf(entries: PresenceEntry[]): Person[] {
  const people = new Map<string, Person>();
  for (const entry of entries) {
    const parsed = claim.safeParse(entry.payload);
    if (!parsed.success) continue;
    const userId = userOf(entry);
    const state = parsed.data.state ?? "active";
    const person = people.get(userId) ?? { userId, state, documentIds: [], tabs: 0 };
    const { documentId } = parsed.data;
    person.tabs += 1;
    if (presenceStates.indexOf(state) < presenceStates.indexOf(person.state)) person.state = state;
    if (documentId && !person.documentIds.includes(documentId)) person.documentIds.push(documentId);
    people.set(userId, person);
  }
  return [...people.values()].sort((a, b) => a.userId.localeCompare(b.userId));
}

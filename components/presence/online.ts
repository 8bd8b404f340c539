import * as z from "zod/mini";
import type { PresenceEntry } from "@/events/realtime/channel";
import { presenceStates, userOf } from "@/events/realtime/presence-list";
import type { Person } from "@/events/read-models/person";

/**
 * A person who is online, with the open document (null on another page of the workspace). `idle` is
 * true after a minute without input.
 */
export type Online = Person & { document: string | null; idle: boolean; since: number };

const claim = z.object({
  documentId: z.optional(z.nullable(z.string())),
  state: z.optional(z.enum(presenceStates)),
  since: z.optional(z.number()),
});

/**
 * Returns every person online once across their tabs, longest-present first. Names and colours come
 * from `people` and never from an entry. An entry of an unknown person is left out.
 */
export function whoIsOnline(
  entries: readonly PresenceEntry[],
  people: ReadonlyMap<string, Person>,
): Online[] {
  const online = new Map<string, Online>();
  for (const entry of entries) {
    const parsed = claim.safeParse(entry.payload);
    const person = people.get(userOf(entry));
    if (!parsed.success || !person) continue;
    const { documentId: document = null, state = "active", since = 0 } = parsed.data;
    const idle = state !== "active";
    const known = online.get(person.userId);
    if (!known) online.set(person.userId, { ...person, document, idle, since });
    else {
      // An active tab determines the place. Of two active tabs, the one with an open document wins.
      const better =
        known.idle === idle ? known.document === null && document !== null : known.idle;
      online.set(person.userId, {
        ...known,
        since: Math.min(known.since, since),
        idle: known.idle && idle,
        document: better ? document : known.document,
      });
    }
  }
  return [...online.values()].sort((a, b) => a.since - b.since || a.userId.localeCompare(b.userId));
}

/** Groups the people who are online by the id of their document. */
export function byDocument(online: readonly Online[]): Map<string, Online[]> {
  const places = new Map<string, Online[]>();
  for (const person of online) {
    if (person.document === null) continue;
    const there = places.get(person.document);
    if (there) there.push(person);
    else places.set(person.document, [person]);
  }
  return places;
}

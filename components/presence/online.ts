import * as z from "zod/mini";
import type { PresenceEntry } from "@/events/realtime/channel";
import { presenceStates, userOf } from "@/events/realtime/presence-list";
import type { Person } from "@/events/read-models/person";

/**
 * A person's place: a document, or (null) a page of the workspace; `idle` after a minute without
 * input.
 */
export type Online = Person & { document: string | null; idle: boolean; since: number };

const claim = z.object({
  documentId: z.optional(z.nullable(z.string())),
  state: z.optional(z.enum(presenceStates)),
  since: z.optional(z.number()),
});

/**
 * Everyone online, once each across their tabs, longest-present first. `people` is the authority:
 * entries of unknown people are left out, and name and colour are never taken from an entry.
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
      // An active tab determines the place; of two such, the one with a document open.
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

/** The people in each document, by document id. */
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

import { dateFormat } from "@/components/ui/time/date-format";
import type { Entry } from "./activity-entries";

/** A summary of the last seven days. */
export type Summary = {
  /** Oldest first, today last. `words` counts added and deleted words. */
  days: { label: string; name: string; words: number }[];
  added: number;
  removed: number;
  documents: number;
  people: { id: string; added: number }[];
  mostEdited: { id: string; sessions: number }[];
};

const day = 86_400_000;
const weekDays = 7;
const most = { people: 6, documents: 3 };

const dayOfWeek = (time: number, zone: string, weekday: "narrow" | "long") =>
  dateFormat("en-GB", { timeZone: zone, weekday }).format(time);
const dateOf = (time: number, zone: string) => dateFormat("en-CA", { timeZone: zone }).format(time);

function ranked(counts: ReadonlyMap<string, number>, count: number): [string, number][] {
  return [...counts]
    .filter(([, value]) => value > 0)
    .sort(([a, one], [b, two]) => two - one || a.localeCompare(b))
    .slice(0, count);
}

const add = (counts: Map<string, number>, key: string, value: number) =>
  counts.set(key, (counts.get(key) ?? 0) + value);

/** Summarizes the entries of the last seven days from their lines. */
export function summaryOf(
  entries: readonly Entry[],
  { now, zone }: { now: number; zone: string },
): Summary {
  const week = Array.from({ length: weekDays }, (_, at) => now - (weekDays - 1 - at) * day);
  const words = new Map(week.map((time) => [dateOf(time, zone), 0]));
  const [people, sessions] = [new Map<string, number>(), new Map<string, number>()];
  let [added, removed] = [0, 0];
  for (const { line, at, document, kind, actorId } of entries) {
    const date = dateOf(Date.parse(at), zone);
    if (!line || document === null || !words.has(date)) continue;
    add(words, date, line.added + line.removed);
    added += line.added;
    removed += line.removed;
    add(people, actorId, line.added);
    if (kind === "writing") add(sessions, document, 1);
  }
  return {
    days: week.map((time) => ({
      label: dayOfWeek(time, zone, "narrow"),
      name: dayOfWeek(time, zone, "long"),
      words: words.get(dateOf(time, zone)) ?? 0,
    })),
    added,
    removed,
    documents: sessions.size,
    people: ranked(people, most.people).map(([id, count]) => ({ id, added: count })),
    mostEdited: ranked(sessions, most.documents).map(([id, count]) => ({ id, sessions: count })),
  };
}

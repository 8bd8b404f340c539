import { dayOf } from "@/components/ui/time/day-words";
import { firstName, type Person } from "@/events/read-models/person";
import { isolated } from "@/events/core/text/isolated";
import type { Clock } from "@/components/ui/time/use-clock";

/** Names joined as in a sentence: "Ana, Ben and Carol". */
function namesOf(people: readonly Person[]): string {
  const names = people.map(({ name }) => isolated(name));
  const last = names.pop();
  if (last === undefined) return "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

const minute = 60_000;
const hour = 60 * minute;

/**
 * How long ago something was, in words that stay true while nobody looks: by the minute, by the
 * hour, then by the day.
 */
export function sinceWords(iso: string, clock: Clock): string {
  const ago = clock.now - Date.parse(iso);
  if (ago < 2 * minute) return "just now";
  if (ago < hour) return `${Math.floor(ago / minute)} minutes ago`;
  if (ago < 2 * hour) return "an hour ago";
  if (ago < 24 * hour) return `${Math.floor(ago / hour)} hours ago`;
  return `on ${dayOf(iso, clock)}`;
}

/** What the byline is made of. */
type BylineFacts = {
  writers: readonly Person[];
  createdAt: string;
  changedAt: string;
  changedBy: Person | null;
};

/** The line under the title: who wrote it, when it was begun, when and by whom it was last changed. */
export function bylineOf(
  { writers, createdAt, changedAt, changedBy }: BylineFacts,
  clock: Clock,
): string {
  const begun = `Created ${dayOf(createdAt, clock)}`;
  const changed = `changed ${sinceWords(changedAt, clock)}${changedBy === null ? "" : ` by ${firstName(changedBy)}`}`;
  const names = namesOf(writers);
  return `${names === "" ? "" : `${names}. `}${begun}, ${changed}.`;
}

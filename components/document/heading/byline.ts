import { dayOf } from "@/components/ui/time/day-words";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { isolated } from "@/events/core/text/isolated";
import type { Clock } from "@/components/ui/time/use-clock";

/** Joins names as in a sentence: "Ana, Ben and Carol". */
function namesOf(people: readonly Person[]): string {
  const names = people.map(({ name }) => isolated(name));
  const last = names.pop();
  if (last === undefined) return "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

const minute = 60_000;
const hour = 60 * minute;

/** Formats a time so that it stays right without updates: in minutes, in hours, then as a date. */
export function sinceWords(iso: string, clock: Clock): string {
  const ago = clock.now - Date.parse(iso);
  if (ago < 2 * minute) return "just now";
  if (ago < hour) return `${Math.floor(ago / minute)} minutes ago`;
  if (ago < 2 * hour) return "an hour ago";
  if (ago < 24 * hour) return `${Math.floor(ago / hour)} hours ago`;
  return `on ${dayOf(iso, clock)}`;
}

type BylineFacts = {
  writers: readonly Person[];
  createdAt: string;
  changedAt: string;
  changedBy: Person | null;
};

/** Returns the line under the title: authors, creation, and the last change with its author. */
export function bylineOf(
  { writers, createdAt, changedAt, changedBy }: BylineFacts,
  clock: Clock,
): string {
  const begun = `Created ${dayOf(createdAt, clock)}`;
  const changed = `changed ${sinceWords(changedAt, clock)}${changedBy === null ? "" : ` by ${firstName(changedBy)}`}`;
  const names = namesOf(writers);
  return `${names === "" ? "" : `${names}. `}${begun}, ${changed}.`;
}

"use client";

import { useMemo, useState } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";
import { authorsIn, withImported } from "@/machines/import/imported-authors";

function byUserId(members: readonly Person[]): Map<string, Person> {
  return new Map(members.map((person) => [person.userId, person]));
}

function samePeople(people: Map<string, Person>, members: readonly Person[]): boolean {
  const same = (person: Person) => {
    const known = people.get(person.userId);
    return known?.name === person.name && known.color === person.color;
  };
  return people.size === members.length && members.every(same);
}

/** Returns people by id, and the authors of a timeline in the timeline's order. */
export function useAuthors(timeline: Timeline | null, members: readonly Person[]) {
  // The list may be a new array on every render. The text redraws only if a person in it changes.
  const [people, setPeople] = useState(() => byUserId(members));
  if (!samePeople(people, members)) setPeople(byUserId(members));
  return useMemo(() => {
    const all = timeline ? withImported(people, timeline) : people;
    return { people: all, authors: timeline ? authorsIn(timeline, all) : [] };
  }, [timeline, people]);
}

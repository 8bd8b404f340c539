import { importedAuthorKey } from "@/events/history/timeline/imported-history";
import type { Timeline } from "@/events/history/timeline/timeline";
import { givenColors } from "@/machines/member";
import { importedName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { isolated } from "@/events/core/text/isolated";
import { importOf, importedNames } from "./imported-names";
import type { ImportMark } from "./imported-names";

const list = new Intl.ListFormat("en-GB");

/** Returns an imported history's authors by their names in its file. They are not accounts. */
function importedPeople(marks: readonly ImportMark[]): Person[] {
  return importedNames(marks).map((name, index) => ({
    userId: importedAuthorKey(index),
    name: importedName(name),
    // Colours are assigned from the end of the palette order, because members use its start.
    color: givenColors.at(-1 - (index % givenColors.length)) ?? givenColors[0],
  }));
}

/**
 * Returns the colour of each Yjs client id in an imported history, where the file names its author.
 */
export function importedColours(marks: readonly ImportMark[]): Map<number, number> {
  const authors = importOf(marks)?.authors;
  const people = importedPeople(marks);
  return new Map(
    people.flatMap(({ color }, index) =>
      (authors?.[index]?.clients ?? []).map((client) => [client, color] as const),
    ),
  );
}

/**
 * Describes the source of an imported document's text and its authors there. Returns null before
 * the import and for documents that were not imported.
 */
export function importedWords(marks: readonly ImportMark[], index: number): string | null {
  const { label, authors = [] } = importOf(marks.filter(({ revision }) => revision <= index)) ?? {};
  if (label === undefined) return null;
  const names = authors.map(({ name }) => name);
  const written = names.length > 0 ? ` Written there by ${list.format(names.map(isolated))}.` : "";
  return `Imported from ${isolated(label)}.${written}`;
}

/** Adds the authors of an imported history to the people by id. */
export function withImported(
  people: ReadonlyMap<string, Person>,
  { marks }: Pick<Timeline, "marks">,
): ReadonlyMap<string, Person> {
  const imported = importedPeople(marks);
  return imported.length === 0
    ? people
    : new Map([...people, ...imported.map((person) => [person.userId, person] as const)]);
}

/** Returns the authors of a timeline, in its order. */
export function authorsIn(
  { authors }: Pick<Timeline, "authors">,
  people: ReadonlyMap<string, Person>,
): Person[] {
  return authors.map((userId) => people.get(userId) ?? { userId, name: "Somebody", color: 10 });
}

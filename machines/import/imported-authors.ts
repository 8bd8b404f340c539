import { importedAuthorKey } from "@/events/history/timeline/imported-history";
import type { Timeline } from "@/events/history/timeline/timeline";
import { givenColors } from "@/machines/member";
import { importedName, type Person } from "@/events/read-models/person";
import { isolated } from "@/events/core/text/isolated";
import { type ImportMark, importOf, importedNames } from "./imported-names";

const list = new Intl.ListFormat("en-GB");

/** Those whose doings an imported history tells, to be shown as names of a file and nobody's accounts. */
function importedPeople(marks: readonly ImportMark[]): Person[] {
  return importedNames(marks).map((name, index) => ({
    userId: importedAuthorKey(index),
    name: importedName(name),
    // From the other end of the order, for its beginning is worn by those who are here.
    color: givenColors.at(-1 - (index % givenColors.length)) ?? givenColors[0],
  }));
}

/** The colour of each Yjs client id under which somebody in an imported history wrote, where its file says so. */
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
 * Where the text of a document came from that began as an import, and who wrote it there; null up
 * to that revision and elsewhere.
 */
export function importedWords(marks: readonly ImportMark[], index: number): string | null {
  const { label, authors = [] } = importOf(marks.filter(({ revision }) => revision <= index)) ?? {};
  if (label === undefined) return null;
  const names = authors.map(({ name }) => name);
  const written = names.length > 0 ? ` Written there by ${list.format(names.map(isolated))}.` : "";
  return `Imported from ${isolated(label)}.${written}`;
}

/** People by their id, and those whom an imported history names. */
export function withImported(
  people: ReadonlyMap<string, Person>,
  { marks }: Pick<Timeline, "marks">,
): ReadonlyMap<string, Person> {
  const imported = importedPeople(marks);
  return imported.length === 0
    ? people
    : new Map([...people, ...imported.map((person) => [person.userId, person] as const)]);
}

/** The authors of a timeline, in its own order. */
export function authorsIn(
  { authors }: Pick<Timeline, "authors">,
  people: ReadonlyMap<string, Person>,
): Person[] {
  return authors.map((userId) => people.get(userId) ?? { userId, name: "Somebody", color: 10 });
}

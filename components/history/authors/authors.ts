import type { Change } from "@/events/analysis/comparison/comparison";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";

type Shown = Pick<Person, "name" | "color">;

/** The authors of compared changes: people or, for imported content, its copy-ins. */
export type ComparisonAuthors = {
  /** The timeline to compare, with attributed authors. */
  source: Pick<Timeline, "blocks" | "authorOf" | "titleAt" | "iconAt">;
  personAt: (revision: number) => Shown;
  /** Returns the authors' names as a sentence uses them. */
  namesOf: (change: Change) => string[];
  /** Returns the copy-in that brought an imported change, or null for a local change. */
  copyInOf: (change: Change) => CopyIn | null;
};

const colour = 10;
const copyInAuthors: Record<string, string> = {
  "document.forked": "the forked document",
  "document.merged": "the merged document",
  "document.imported": "the imported file",
};

/** Separates local changes from content that arrived with a copy-in. */
export function authorsOf(
  timeline: Timeline,
  people: ReadonlyMap<string, Person>,
): ComparisonAuthors {
  const contentOrigin = contentOriginOf(timeline);
  const authors = timeline.authors.map(
    (userId): Shown => people.get(userId) ?? { name: "Somebody", color: colour },
  );
  const copyIns = contentOrigin.copyIns.map(({ type }): Shown => ({
    name: copyInAuthors[type] ?? "another document",
    color: colour,
  }));
  const shownAuthors = [...authors, ...copyIns];
  const authorOf = (revision: number) => contentOrigin.authorAt(revision);
  const authorKeyOf = (index: number): Shown =>
    shownAuthors[index] ?? { name: "Somebody", color: colour };
  return {
    source: {
      blocks: timeline.blocks,
      titleAt: timeline.titleAt,
      iconAt: timeline.iconAt,
      authorOf,
    },
    personAt: (revision) => authorKeyOf(authorOf(revision)),
    namesOf: ({ authors: changed }) => [
      ...new Set(
        changed.map((index) =>
          index < authors.length ? firstName(authorKeyOf(index)) : authorKeyOf(index).name,
        ),
      ),
    ],
    copyInOf: ({ authors: changed }) =>
      contentOrigin.copyIns[
        (changed.find((index) => index >= authors.length) ?? -1) - authors.length
      ] ?? null,
  };
}

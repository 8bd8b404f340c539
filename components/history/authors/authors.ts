import { type Change } from "@/events/analysis/comparison/comparison";
import { type CopyIn, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { type Timeline } from "@/events/history/timeline/timeline";
import { firstName, type Person } from "@/events/read-models/person";

type Shown = Pick<Person, "name" | "color">;

/** Whose the changes are that are compared: the authors', and behind them what forks, merges and imports brought. */
export type Hands = {
  /** The timeline with a moment's hand for its author, to be compared. */
  source: Pick<Timeline, "blocks" | "authorOf" | "titleAt" | "iconAt">;
  personAt: (moment: number) => Shown;
  /** How a sentence calls them. */
  namesOf: (change: Change) => string[];
  /** What brought a change here that was written elsewhere. */
  copyInOf: (change: Change) => CopyIn | null;
};

const colour = 10;
const copyInAuthors: Record<string, string> = {
  "document.forked": "the forked document",
  "document.merged": "the merged document",
  "document.imported": "the imported file",
};

/** Tells what somebody wrote here from what came with them from elsewhere. */
export function authorsOf(timeline: Timeline, people: ReadonlyMap<string, Person>): Hands {
  const contentOrigin = contentOriginOf(timeline);
  const authors = timeline.authors.map(
    (userId): Shown => people.get(userId) ?? { name: "Somebody", color: colour },
  );
  const carried = contentOrigin.copyIns.map(({ type }): Shown => ({
    name: copyInAuthors[type] ?? "another document",
    color: colour,
  }));
  const hands = [...authors, ...carried];
  const authorOf = (moment: number) => contentOrigin.authorAt(moment);
  const authorKeyOf = (index: number): Shown => hands[index] ?? { name: "Somebody", color: colour };
  return {
    source: {
      blocks: timeline.blocks,
      titleAt: timeline.titleAt,
      iconAt: timeline.iconAt,
      authorOf,
    },
    personAt: (moment) => authorKeyOf(authorOf(moment)),
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

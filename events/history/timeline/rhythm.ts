import { timeAt } from "./revision-columns";
import type { RevisionColumns } from "./revision-columns";
import { groupStarts, pausesOf } from "./timing-map";
import type { Mark, Rhythm } from "./timeline";

/**
 * Computes the rhythm of a history's revisions in one pass. An event that is more than a text edit
 * is a separate group.
 */
export function rhythmOf(
  revisions: RevisionColumns,
  marks: readonly Pick<Mark, "version" | "revision">[],
): Rhythm {
  const { length, starts, authors } = revisions;
  const times = { length, at: (index: number) => timeAt(revisions, index) };
  const isMark = new Set(
    marks.flatMap(({ version, revision }) =>
      Array.from(
        { length: revision - (starts[version - 1] ?? 0) + 1 },
        (_, back) => revision - back,
      ),
    ),
  );
  return {
    groups: groupStarts(times, authors, (index) => isMark.has(index)),
    pauses: pausesOf(times),
  };
}

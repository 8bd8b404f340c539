import { type MomentColumns, timeAt } from "./moments";
import { groupStarts, pausesOf } from "./timing-map";
import { type Mark, type Rhythm } from "./timeline";

/** Reads the rhythm off a history's moments, in one pass over all of them; an event that is more than writing is a group of its own. */
export function rhythmOf(
  moments: MomentColumns,
  marks: readonly Pick<Mark, "version" | "moment">[],
): Rhythm {
  const { length, starts, authors } = moments;
  const times = { length, at: (index: number) => timeAt(moments, index) };
  const isMark = new Set(
    marks.flatMap(({ version, moment }) =>
      Array.from({ length: moment - (starts[version - 1] ?? 0) + 1 }, (_, back) => moment - back),
    ),
  );
  return {
    groups: groupStarts(times, authors, (index) => isMark.has(index)),
    pauses: pausesOf(times),
  };
}

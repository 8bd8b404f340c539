import { type Course } from "@/events/history/timeline/course";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type Axis, type Reel } from "@/components/history/playback/timeline-axis";

/** A row of the film: one author, or (null) everybody who has no row of their own. */
export type Lane = { author: number | null; moments: number };

/** What happened in one slice of a lane, each as a height from 0 to 1: everything, and what is visited of it. */
export type Bar = { x: number; all: number; visited: number };

/** Gives the busiest authors a lane each, in the order in which they came, and the others one together. */
export function lanesOf({ length, authors, authorOf }: Timeline, most: number): Lane[] {
  const counts = new Uint32Array(authors.length);
  for (let index = 0; index < length; index += 1) {
    const author = authorOf(index);
    counts[author] = (counts[author] ?? 0) + 1;
  }
  const lanes = [...counts].map((moments, author) => ({ author, moments }));
  if (lanes.length <= most) return lanes;
  const own = new Set(lanes.toSorted((a, b) => b.moments - a.moments).slice(0, most - 1));
  const rest = lanes
    .filter((lane) => !own.has(lane))
    .reduce((sum, { moments }) => sum + moments, 0);
  return [...lanes.filter((lane) => own.has(lane)), { author: null, moments: rest }];
}

type Slices = { left: number; width: number; all: Uint32Array[]; visited: Uint32Array[] };

function heights(slices: Slices[], lane: number, most: number): Bar[] {
  const high = (count: number) => (count === 0 ? 0 : 0.18 + 0.82 * Math.sqrt(count / most));
  return slices.flatMap(({ left, width, all, visited }) => {
    const counts = all[lane] ?? new Uint32Array();
    return [...counts].flatMap((count, at) =>
      count === 0
        ? []
        : [
            {
              x: left + (at * width) / counts.length,
              all: high(count),
              visited: high(visited[lane]?.[at] ?? 0),
            },
          ],
    );
  });
}

/** The first moment of a reel that stands at a place of the axis or behind it; the one after the reel where none does. */
function firstFrom(axis: Axis, { from, to }: Reel, position: number): number {
  let low = from;
  let high = to + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (axis.positionOf(middle) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How busy every lane was along an axis, in slices of about `pitch` (a fraction of the width). */
export function barsOf(
  { authorOf }: Timeline,
  axis: Axis,
  lanes: readonly Lane[],
  course: Course,
  pitch: number,
): Bar[][] {
  const laneOf = new Map(
    lanes.flatMap(({ author }, lane) => (author === null ? [] : [[author, lane]])),
  );
  const empty = (count: number) => lanes.map(() => new Uint32Array(count));
  const slices = axis.reels.map((reel): Slices => {
    const width = reel.right - reel.left;
    const count = Math.max(1, Math.round(width / pitch));
    const all = empty(count);
    const visited = empty(count);
    let next = course.from(reel.from);
    for (let slice = 0, index = reel.from; slice < count; slice += 1) {
      // Where a slice ends is looked up: to ask each of a million moments where it stands takes too long.
      const end =
        slice === count - 1
          ? reel.to + 1
          : firstFrom(axis, reel, reel.left + (width * (slice + 1)) / count);
      for (; index < end; index += 1) {
        const lane = laneOf.get(authorOf(index)) ?? lanes.length - 1;
        const row = all[lane];
        if (row) row[slice] = (row[slice] ?? 0) + 1;
        if (index !== next) continue;
        next = course.from(index + 1);
        const seen = visited[lane];
        if (seen) seen[slice] = (seen[slice] ?? 0) + 1;
      }
    }
    return { left: reel.left, width, all, visited };
  });
  let most = 1;
  for (const { all } of slices)
    for (const row of all) for (const count of row) most = Math.max(most, count);
  return lanes.map((_, lane) => heights(slices, lane, most));
}

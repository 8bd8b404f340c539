import { firstWhere } from "@/events/core/binary-search";
import type { PlaybackPath } from "@/events/history/timeline/playback-path";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Axis, SessionTrack } from "@/components/history/playback/timeline-axis";

/** A row of the timeline bar: one author or, for null, all other authors together. */
export type AuthorRow = { author: number | null; revisions: number };

/**
 * The activity in one slice of an author row, as heights from 0 to 1. `all` is the total, and
 * `visited` the part that the filter visits.
 */
export type Bar = { x: number; all: number; visited: number };

/** Assigns a row to each of the busiest authors, in order of appearance, and one to all others. */
export function authorRowsOf({ length, authors, authorOf }: Timeline, most: number): AuthorRow[] {
  const counts = new Uint32Array(authors.length);
  for (let index = 0; index < length; index += 1) {
    const author = authorOf(index);
    counts[author] = (counts[author] ?? 0) + 1;
  }
  const authorRows = [...counts].map((revisions, author) => ({ author, revisions }));
  if (authorRows.length <= most) return authorRows;
  const own = new Set(authorRows.toSorted((a, b) => b.revisions - a.revisions).slice(0, most - 1));
  const rest = authorRows
    .filter((authorRow) => !own.has(authorRow))
    .reduce((sum, { revisions }) => sum + revisions, 0);
  return [
    ...authorRows.filter((authorRow) => own.has(authorRow)),
    { author: null, revisions: rest },
  ];
}

type Slices = { left: number; width: number; all: Uint32Array[]; visited: Uint32Array[] };

function heights(slices: Slices[], authorRow: number, most: number): Bar[] {
  const high = (count: number) => (count === 0 ? 0 : 0.18 + 0.82 * Math.sqrt(count / most));
  return slices.flatMap(({ left, width, all, visited }) => {
    const counts = all[authorRow] ?? new Uint32Array();
    return [...counts].flatMap((count, at) =>
      count === 0
        ? []
        : [
            {
              x: left + (at * width) / counts.length,
              all: high(count),
              visited: high(visited[authorRow]?.[at] ?? 0),
            },
          ],
    );
  });
}

/**
 * Returns the first revision of a session track at or behind a position of the axis. If there is
 * none, returns the index after the track.
 */
function firstFrom(axis: Axis, { from, to }: SessionTrack, position: number): number {
  return firstWhere(from, to + 1, (index) => axis.positionOf(index) >= position);
}

/** Returns the activity of every row in slices of about `pitch`, a fraction of the axis' width. */
export function barsOf(
  { authorOf }: Timeline,
  axis: Axis,
  authorRows: readonly AuthorRow[],
  playbackPath: PlaybackPath,
  pitch: number,
): Bar[][] {
  const authorRowOf = new Map(
    authorRows.flatMap(({ author }, authorRow) => (author === null ? [] : [[author, authorRow]])),
  );
  const empty = (count: number) => authorRows.map(() => new Uint32Array(count));
  const slices = axis.sessionTracks.map((sessionTrack): Slices => {
    const width = sessionTrack.right - sessionTrack.left;
    const count = Math.max(1, Math.round(width / pitch));
    const all = empty(count);
    const visited = empty(count);
    let next = playbackPath.from(sessionTrack.from);
    for (let slice = 0, index = sessionTrack.from; slice < count; slice += 1) {
      // A binary search finds the end of a slice. Computing the position of each of a million
      // revisions takes too long.
      const end =
        slice === count - 1
          ? sessionTrack.to + 1
          : firstFrom(axis, sessionTrack, sessionTrack.left + (width * (slice + 1)) / count);
      for (; index < end; index += 1) {
        const authorRow = authorRowOf.get(authorOf(index)) ?? authorRows.length - 1;
        const row = all[authorRow];
        if (row) row[slice] = (row[slice] ?? 0) + 1;
        if (index !== next) continue;
        next = playbackPath.from(index + 1);
        const seen = visited[authorRow];
        if (seen) seen[slice] = (seen[slice] ?? 0) + 1;
      }
    }
    return { left: sessionTrack.left, width, all, visited };
  });
  let most = 1;
  for (const { all } of slices)
    for (const row of all) for (const count of row) most = Math.max(most, count);
  return authorRows.map((_, authorRow) => heights(slices, authorRow, most));
}

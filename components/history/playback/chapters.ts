import { lastUpTo } from "@/events/core/binary-search";
import type { Span } from "@/events/history/timeline/timing-map";
import type { Timeline } from "@/events/history/timeline/timeline";
import { namedVersions } from "@/events/history/timeline/named-versions";

/** The boundary between chapters: a long pause, a change of authors, or a named version. */
export type ChapterKind = "pause" | "author" | "version";

/**
 * A chapter of a history, with its authors, the busiest first, and the version it led to, if any.
 */
export type Chapter = Span & { authors: number[]; name: string | null };

/** The kind of division, and the chapters. */
export type Chapters = { by: ChapterKind; all: readonly Chapter[] };

const burstWindow = 60_000;

/** Returns the first revision of each stretch of whole minutes with the same authors. */
function burstsOf({ timingMap, timeOf, authorOf }: Timeline): number[] {
  const begins: number[] = [];
  for (const { from, to } of timingMap.sessions) {
    let before = "";
    let index = from;
    while (index <= to) {
      const first = index;
      const minute = Math.floor((timeOf(first) - timeOf(from)) / burstWindow);
      const people = new Set<number>();
      for (
        ;
        index <= to && Math.floor((timeOf(index) - timeOf(from)) / burstWindow) === minute;
        index += 1
      )
        people.add(authorOf(index));
      const key = [...people].sort((a, b) => a - b).join();
      if (first === from || key !== before) begins.push(first);
      before = key;
    }
  }
  return begins;
}

function beginnings(
  timeline: Timeline,
  by: ChapterKind,
): { begins: number[]; names: Map<number, string> } {
  if (by === "pause")
    return { begins: timeline.timingMap.sessions.map(({ from }) => from), names: new Map() };
  if (by === "author") return { begins: burstsOf(timeline), names: new Map() };
  const versions = namedVersions(timeline).toSorted((a, b) => a.revision - b.revision);
  const ends = versions
    .map(({ revision }) => revision + 1)
    .filter((revision) => revision < timeline.length);
  return {
    begins: [...new Set([0, ...ends])],
    names: new Map(versions.map(({ revision, name }) => [revision, name])),
  };
}

/** Divides a history into consecutive chapters. */
export function chaptersOf(timeline: Timeline, by: ChapterKind): Chapter[] {
  if (timeline.length === 0) return [];
  const { begins, names } = beginnings(timeline, by);
  return begins.map((from, index) => {
    const to = (begins[index + 1] ?? timeline.length) - 1;
    const counts = new Uint32Array(timeline.authors.length);
    const authors: number[] = [];
    for (let revision = from; revision <= to; revision += 1) {
      const author = timeline.authorOf(revision);
      if (counts[author] === 0) authors.push(author);
      counts[author] = (counts[author] ?? 0) + 1;
    }
    authors.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    return { from, to, authors, name: names.get(to) ?? null };
  });
}

/** Returns the index of the chapter that contains a revision. */
export function chapterAt(chapters: readonly Chapter[], index: number): number {
  return Math.max(
    0,
    lastUpTo(
      chapters.map(({ from }) => from),
      index,
    ),
  );
}

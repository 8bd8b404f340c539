import type { Timeline } from "@/events/history/timeline/timeline";
import type { Chapter } from "@/components/history/playback/chapters";
import { axisWords } from "@/components/history/words/revision-words";
import type { Axis } from "@/components/history/playback/timeline-axis";

/**
 * A chapter's beginning on the timeline bar. `maxWidth` is the room for its words up to the next
 * chapter's in px, or 0 if the words are left out.
 */
type ChapterPlace = {
  chapter: Chapter;
  left: number;
  maxWidth: number;
  text: string;
  detail: string;
};

const gap = 10;
const tightest = 7;

/**
 * Returns the label of a chapter on the timeline bar: the version it led to, its authors, or its
 * start. Narrow layouts omit `detail`.
 */
export function chapterLabel(
  chapter: Chapter,
  timeline: Pick<Timeline, "timeOf">,
  nameOf: (author: number) => string,
  by: "pause" | "author" | "version",
): { text: string; detail: string } {
  const { day, time } = axisWords(timeline.timeOf(chapter.from));
  if (by === "version")
    return chapter.name === null ? { text: day, detail: time } : { text: chapter.name, detail: "" };
  if (by === "pause") return { text: day, detail: time };
  const [first = 0, ...others] = chapter.authors;
  return {
    text: nameOf(first),
    detail:
      others.length === 0
        ? ""
        : others.length === 1
          ? nameOf(others[0] ?? 0)
          : `${others.length} others`,
  };
}

/**
 * Returns the beginnings of chapters on a timeline bar `width` px wide. Beginnings that are too
 * close to each other are left out, and words get only the free room.
 */
export function chapterPlaces(
  chapters: readonly Pick<ChapterPlace, "chapter" | "text" | "detail">[],
  axis: Pick<Axis, "positionOf">,
  width: number,
): ChapterPlace[] {
  const least = width >= 600 ? 64 : 44;
  const drawn: ChapterPlace[] = [];
  for (const each of chapters) {
    const left = axis.positionOf(each.chapter.from);
    const last = drawn.at(-1);
    if (!last || (left - last.left) * width >= tightest) drawn.push({ ...each, left, maxWidth: 0 });
  }
  // Runs backwards, because the next place with words limits the room of a place.
  let next = 1 + gap / width;
  const worded = new Set<ChapterPlace>();
  let before = Number.NEGATIVE_INFINITY;
  for (const place of drawn) {
    if ((place.left - before) * width < least || (1 - place.left) * width < least * 0.7) continue;
    worded.add(place);
    before = place.left;
  }
  for (const place of drawn.toReversed()) {
    if (!worded.has(place)) continue;
    place.maxWidth = Math.floor((next - place.left) * width - gap);
    next = place.left;
  }
  return drawn;
}

import { bodyOf } from "@/events/core/recorded-body";
import { everyRevision } from "@/events/history/timeline/playback-path";
import type { PlaybackFilter } from "@/events/history/timeline/playback-path";
import { revisionsOfBlocks } from "@/events/history/timeline/outline";
import type { OutlineSection } from "@/events/history/timeline/outline";
import { scriptOf } from "@/events/history/timeline/script";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import { firstComments } from "@/machines/past-threads";
import { anchorPlace } from "@/events/analysis/anchors/anchor-place";

export type FilterKind = "everything" | "comments" | "restores";

/**
 * The shown part of a history. Each field restricts it: one person's changes (null for all), one
 * kind of event, and one section (null for the whole document).
 */
export type Filter = { author: string | null; kind: FilterKind; section: OutlineSection | null };

/** Filters nothing. */
export const noFilter: Filter = { author: null, kind: "everything", section: null };

const kinds: Record<Exclude<FilterKind, "everything">, RegExp> = {
  comments: /^(thread|comment)\./,
  restores: /^document\.(reverted|reworked|merged|restored)$/,
};

/** Whether a filter excludes anything. */
export function isFiltering({ author, kind, section }: Filter): boolean {
  return author !== null || kind !== "everything" || section !== null;
}

const ascending = (revisions: Iterable<number>) => Uint32Array.from(new Set(revisions)).sort();

/**
 * Returns a predicate that is true for events about threads and comments in a section. The thread's
 * words decide.
 */
function isAbout(timeline: Timeline, { from, to }: OutlineSection): (mark: Mark) => boolean {
  const script = scriptOf(timeline);
  const threads = new Set<string>();
  const comments = new Set<string>();
  for (const mark of timeline.marks) {
    const { subject } = mark;
    const place = anchorPlace(script, bodyOf(mark, "thread.opened")?.start);
    const block = place ? (script.textblocks[place.textblock]?.block ?? -1) : -1;
    if (block >= from && block < to) threads.add(subject.id);
    if (threads.has(bodyOf(mark, "comment.added")?.thread ?? "")) comments.add(subject.id);
  }
  return ({ subject }) => threads.has(subject.id) || comments.has(subject.id);
}

/** Returns a predicate that is true for text-changing events that changed a section. */
function reaches(timeline: Timeline, section: OutlineSection): (mark: Mark) => boolean {
  const revisions = revisionsOfBlocks(timeline, section);
  return ({ version, revision }) => {
    const first = timeline.ofVersion(version - 1) + 1;
    return revisions.some((each) => each >= first && each <= revision);
  };
}

function revisionsOf(timeline: Timeline, { kind, section }: Filter): Uint32Array | null {
  if (kind === "everything") return section && revisionsOfBlocks(timeline, section);
  const first = firstComments(timeline.marks);
  // A thread appears with its first comment. Its own opening would be a revision without a visible
  // change.
  const marks = timeline.marks.filter(
    ({ type, subject }) =>
      kinds[kind].test(type) && !(type === "thread.opened" && first.has(subject.id)),
  );
  const within =
    section && (kind === "comments" ? isAbout(timeline, section) : reaches(timeline, section));
  return ascending((within ? marks.filter(within) : marks).map(({ revision }) => revision));
}

function of(timeline: Timeline, author: string): Uint32Array {
  const authorIndex = timeline.authors.indexOf(author);
  const revisions: number[] = [];
  for (let index = 0; index < timeline.length; index += 1)
    if (timeline.authorOf(index) === authorIndex) revisions.push(index);
  return Uint32Array.from(revisions);
}

/**
 * Returns the revisions that a filter leaves to visit. Single events play slowly enough to read.
 */
export function playbackFilterOf(timeline: Timeline, filter: Filter): PlaybackFilter {
  if (!isFiltering(filter)) return everyRevision;
  const revisions = revisionsOf(timeline, filter);
  const slowly = filter.kind !== "everything";
  if (filter.author === null) return { revisions, slowly };
  const authorIndex = timeline.authors.indexOf(filter.author);
  return {
    revisions:
      revisions?.filter((index) => timeline.authorOf(index) === authorIndex) ??
      of(timeline, filter.author),
    slowly,
  };
}

/** Describes a filter for the line above the timeline bar: "Only Ana, comments, in “The rule”". */
export function filterWords(
  { author, kind, section }: Filter,
  nameOf: (userId: string) => string,
): string {
  const parts = [
    ...(author === null ? [] : [nameOf(author)]),
    ...(kind === "everything" ? [] : [kind]),
    ...(section === null
      ? []
      : [
          author === null && kind === "everything" ? `“${section.title}”` : `in “${section.title}”`,
        ]),
  ];
  return `Only ${parts.join(", ")}`;
}

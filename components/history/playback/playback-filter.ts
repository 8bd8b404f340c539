import { bodyOf } from "@/events/core/recorded-body";
import { everyRevision, type PlaybackFilter } from "@/events/history/timeline/playback-path";
import { revisionsOfBlocks, type OutlineSection } from "@/events/history/timeline/outline";
import { scriptOf } from "@/events/history/timeline/script";
import { type Mark, type Timeline } from "@/events/history/timeline/timeline";
import { firstComments } from "@/machines/past-threads";
import { anchorPlace } from "@/events/analysis/anchors/anchor-place";

export type FilterKind = "everything" | "comments" | "restores";

/**
 * What is to be seen of a history: one person's part of it (null: everybody's), one kind of event,
 * and one section (null: all of the document). Each goes with any other.
 */
export type Filter = { author: string | null; kind: FilterKind; section: OutlineSection | null };

/** Nothing left out. */
export const noFilter: Filter = { author: null, kind: "everything", section: null };

const kinds: Record<Exclude<FilterKind, "everything">, RegExp> = {
  comments: /^(thread|comment)\./,
  restores: /^document\.(reverted|reworked|merged|restored)$/,
};

/** Whether a filter leaves anything out. */
export function isFiltering({ author, kind, section }: Filter): boolean {
  return author !== null || kind !== "everything" || section !== null;
}

const ascending = (revisions: Iterable<number>) => Uint32Array.from(new Set(revisions)).sort();

/** Tells of an event about a thread or a comment whether the thread's words stand, or stood, in a section. */
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

/** Tells of an event that changes the text whether it changed anything of a section. */
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
  // A thread shows with its first comment; by itself its beginning would be a revision at which nothing is to be seen.
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

/** What a filter leaves to be visited. Single events are given time to be read. */
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

/** A filter in words, as the line above the timeline bar says it: "Only Ana, comments, in “The rule”". */
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

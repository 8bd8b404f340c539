import { bodyOf } from "@/events/core/recorded-body";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { rewritingOf } from "@/events/analysis/rewriting";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { SearchEntry } from "./search-entry";
import { stretchesOf } from "./stretches";
import type { TextStretch } from "./stretches";
import { statesOf } from "./stretch-states";
import type { StretchState } from "./stretch-states";
import { commentEntries, titleEntries } from "./mark-entries";

type Named = { at: number; revision: number };

/** A person with at least this many letters in a text counts as one of its authors. */
const wordLength = 3;

function namedRevisions({ marks, ofVersion }: Timeline): Named[] {
  return marks.flatMap((mark) => {
    const at = bodyOf(mark, "version.named")?.at;
    return at === undefined ? [] : [{ at, revision: ofVersion(at) }];
  });
}

type Letter = { writer: string | null; time: number };

/**
 * Returns a reader of the typist and time of each letter of a stretch. Letters of an unknown typist
 * have the time of the copy.
 */
function letterReader(
  timeline: Timeline,
  { textblock, lives, from }: TextStretch,
  contentOrigin: ContentOrigin,
): (offset: number) => Letter {
  const script = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  const index = script.textblocks.indexOf(textblock);
  return (offset) => {
    const born = lives.born[from + offset] ?? 0;
    const here = { writer: timeline.authors[timeline.authorOf(born)] ?? null };
    const time = timeline.timeOf(born);
    if (contentOrigin.copyInAt(born) === null) return { ...here, time };
    const place = rewriting.originOf({ textblock: index, offset: from + offset });
    const own = script.textblocks[place.textblock];
    const imported = own ? contentOrigin.of(own, place.offset) : null;
    if (!own || imported === null) return { ...here, time };
    const writer = imported.writer?.userId ?? null;
    return { writer, time: contentOrigin.typedAt(own, place.offset) ?? time };
  };
}

/** Returns a state's writers, most letters first, and when the first of them last wrote. */
function writersOf(
  letterAt: (offset: number) => Letter,
  stands: Uint8Array,
): { authors: string[]; writtenAt: number } {
  const writers = new Map<string | null, { letters: number; last: number }>();
  for (let offset = 0; offset < stands.length; offset += 1) {
    if (stands[offset] !== 1) continue;
    const { writer, time } = letterAt(offset);
    const known = writers.get(writer);
    if (known) {
      known.letters += 1;
      known.last = Math.max(known.last, time);
    } else writers.set(writer, { letters: 1, last: time });
  }
  const ordered = [...writers].sort(([, one], [, other]) => other.letters - one.letters);
  const known = ordered.filter(([writer]) => writer !== null);
  return {
    authors: known.flatMap(([writer, { letters }], index) =>
      writer !== null && (index === 0 || letters >= wordLength) ? [writer] : [],
    ),
    writtenAt: (known[0] ?? ordered[0])?.[1].last ?? 0,
  };
}

function entryOf(
  timeline: Timeline,
  { text, stands, from, until, gone }: StretchState,
  named: readonly Named[],
  letterAt: (offset: number) => Letter,
): Omit<SearchEntry, "place" | "nth" | "kind" | "threadId"> {
  const namedAt = named
    .filter(({ revision }) => revision >= from && (until === null || revision < until))
    .map(({ at }) => at);
  const { authors, writtenAt } = writersOf(letterAt, stands);
  const [began, end] = [timeline.revision(from), gone ?? until];
  const [ended, stood] = end === null ? [null, null] : [end, end - 1].map(timeline.revision);
  return {
    class: until === null ? "n" : gone === null ? (namedAt[0] ? "q" : "p") : namedAt[0] ? "h" : "g",
    text,
    fromVersion: began.version,
    fromTime: began.time,
    writtenAt,
    toVersion: ended?.version ?? null,
    toTime: ended?.time ?? null,
    stoodVersion: stood?.version ?? null,
    stoodEdit: stood?.edit ?? null,
    authorId: authors[0] ?? began.actorId,
    authors,
    endedBy: ended?.actorId ?? null,
    namedAt,
  };
}

function textEntries(timeline: Timeline, contentOrigin: ContentOrigin): SearchEntry[] {
  const named = namedRevisions(timeline);
  const revisions = named.map(({ revision }) => revision);
  const rewriting = rewritingOf(timeline);
  return scriptOf(timeline).textblocks.flatMap((textblock) => {
    if (textblock.text.length === 0) return [];
    const lives = rewriting.livesOf(textblock);
    return stretchesOf(textblock).flatMap(([from, to]) => {
      const stretch = { textblock, lives, from, to };
      const letterAt = letterReader(timeline, stretch, contentOrigin);
      const id = idOf(textblock, from);
      const place = `${id?.client}:${id?.clock}`;
      return statesOf(timeline, stretch, revisions).map((state, nth) => ({
        place,
        nth,
        kind: "text" as const,
        threadId: null,
        ...entryOf(timeline, state, named, letterAt),
      }));
    });
  });
}

/**
 * Returns all text that a document has or ever had, as search entries. The entries are derived from
 * its history alone and, for imported content, from the histories of its sources.
 */
export function searchEntries(
  timeline: Timeline,
  contentOrigin = contentOriginOf(timeline),
): SearchEntry[] {
  return [
    ...titleEntries(timeline),
    ...commentEntries(timeline),
    ...textEntries(timeline, contentOrigin),
  ];
}

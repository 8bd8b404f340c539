import { bodyOf } from "@/events/core/recorded-body";
import { rewritingOf } from "@/events/analysis/rewriting";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { type SearchEntry } from "./search-entry";
import { stretchesOf, type TextStretch } from "./stretches";
import { statesOf, type StretchState } from "./stretch-states";
import { commentEntries, titleEntries } from "./mark-entries";

type Named = { at: number; revision: number };

/** So many letters of somebody's are a word of theirs. */
const wordLength = 3;

function namedRevisions({ marks, ofVersion }: Timeline): Named[] {
  return marks.flatMap((mark) => {
    const at = bodyOf(mark, "version.named")?.at;
    return at === undefined ? [] : [{ at, revision: ofVersion(at) }];
  });
}

/** Who wrote what stands in a state, most of it first, and when the first of them did last. */
function writersOf(
  timeline: Timeline,
  { lives, from }: TextStretch,
  stands: Uint8Array,
): { authors: number[]; writtenAt: number } {
  const writers = new Map<number, { letters: number; last: number }>();
  for (let offset = 0; offset < stands.length; offset += 1) {
    if (stands[offset] !== 1) continue;
    const born = lives.born[from + offset] ?? 0;
    const author = timeline.authorOf(born);
    const known = writers.get(author);
    if (known) {
      known.letters += 1;
      known.last = Math.max(known.last, born);
    } else writers.set(author, { letters: 1, last: born });
  }
  const ordered = [...writers].sort(([, one], [, other]) => other.letters - one.letters);
  return {
    authors: ordered
      .filter(([, { letters }], index) => index === 0 || letters >= wordLength)
      .map(([author]) => author),
    writtenAt: timeline.timeOf(ordered[0]?.[1].last ?? 0),
  };
}

function entryOf(
  timeline: Timeline,
  stretch: TextStretch,
  { text, stands, from, until, gone }: StretchState,
  named: readonly Named[],
): Omit<SearchEntry, "place" | "nth" | "kind" | "threadId"> {
  const namedAt = named
    .filter(({ revision }) => revision >= from && (until === null || revision < until))
    .map(({ at }) => at);
  const { authors, writtenAt } = writersOf(timeline, stretch, stands);
  const [began, end] = [timeline.revision(from), gone ?? until];
  const [ended, stood] = end === null ? [null, null] : [end, end - 1].map(timeline.revision);
  const userOf = (author: number | undefined) => timeline.authors[author ?? 0] ?? began.actorId;
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
    authorId: userOf(authors[0]),
    authors: authors.map(userOf),
    endedBy: ended?.actorId ?? null,
    namedAt,
  };
}

function textEntries(timeline: Timeline): SearchEntry[] {
  const named = namedRevisions(timeline);
  const revisions = named.map(({ revision }) => revision);
  const rewriting = rewritingOf(timeline);
  return scriptOf(timeline).textblocks.flatMap((textblock) => {
    if (textblock.text.length === 0) return [];
    const lives = rewriting.livesOf(textblock);
    return stretchesOf(textblock).flatMap(([from, to]) => {
      const stretch = { textblock, lives, from, to };
      const id = idOf(textblock, from);
      const place = `${id?.client}:${id?.clock}`;
      return statesOf(timeline, stretch, revisions).map((state, nth) => ({
        place,
        nth,
        kind: "text" as const,
        threadId: null,
        ...entryOf(timeline, stretch, state, named),
      }));
    });
  });
}

/** Everything that a document says and ever said, as it can be searched for. Decided by its history alone. */
export function searchEntries(timeline: Timeline): SearchEntry[] {
  return [...titleEntries(timeline), ...commentEntries(timeline), ...textEntries(timeline)];
}

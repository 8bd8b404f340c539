import { isAtOnce } from "./attribution";
import {
  type CopyIn,
  type ImportedPassage,
  type ContentOrigin,
  contentOriginOf,
  type Writer,
} from "@/events/analysis/lineage/copy-in";
import { never } from "@/events/crdt/updates/lifespans";
import { type Lives, type Rewriting, rewritingOf } from "./rewriting";
import {
  idOf,
  type TextblockHistory,
  type Place,
  type Script,
  scriptOf,
  standsAt,
} from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** A stretch of the script, from its first character to its last, over as many textblocks as it takes. */
export type PassageRange = { start: Place; end: Place };

/** How a passage came from elsewhere, and who wrote it there, as far as that is known. */
export type PassageOrigin = { copyIn: CopyIn; writers: Writer[] };

/** What one author did to a passage in one go: `from` and `to` are the go's revisions. */
export type PassageChange = {
  from: number;
  to: number;
  author: number;
  added: string;
  removed: string;
  atOnce: boolean;
  imported: PassageOrigin | null;
};

type Slice = { textblock: TextblockHistory; from: number; to: number; lives: Lives };
type Go = { from: number; to: number; author: number; copyIn: CopyIn | null };

const longestBreath = 2 * 60_000;
const elision = " … ";

/** The stretches of single textblocks that a range is made of. */
function stretchesOf(
  { textblocks }: Script,
  { start, end }: PassageRange,
): Map<number, [from: number, to: number]> {
  return new Map(
    textblocks.slice(start.textblock, end.textblock + 1).map((textblock, index) => {
      const [from, to] = [
        index === 0 ? start.offset : 0,
        start.textblock + index === end.textblock ? end.offset + 1 : textblock.text.length,
      ];
      return [start.textblock + index, [from, to]];
    }),
  );
}

/** Adds what the stretches' characters were copied from, or what was copied from them, with all that lay between. */
function follow(
  script: Script,
  rewriting: Rewriting,
  begin: Map<number, [from: number, to: number]>,
  side: "source" | "copy",
): Map<number, [from: number, to: number]> {
  const all = new Map(begin);
  const open = [...begin].map(([textblock, [from, to]]) => ({ textblock, from, to }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { textblock, from, to } = next;
    if (!rewriting.touches(script.textblocks[textblock], side)) continue;
    for (let offset = from; offset < to; offset += 1) {
      const place = rewriting.neighbourOf({ textblock, offset }, side);
      if (!place) continue;
      const known = all.get(place.textblock);
      if (known && known[0] <= place.offset && known[1] > place.offset) continue;
      all.set(place.textblock, [
        Math.min(known?.[0] ?? place.offset, place.offset),
        Math.max(known?.[1] ?? 0, place.offset + 1),
      ]);
      // What the stretch has grown by is read as well.
      open.push({
        textblock: place.textblock,
        from: Math.min(known?.[1] ?? place.offset, place.offset),
        to: Math.max(known?.[0] ?? 0, place.offset + 1),
      });
    }
  }
  return all;
}

/**
 * All that a passage ever stood in, textblock by textblock: its own stretches, and those that its
 * words were in before they were written anew where they stand, or were written anew in since.
 */
export function standsOf(
  timeline: Timeline,
  range: PassageRange,
): Map<number, [from: number, to: number]> {
  const [script, rewriting] = [scriptOf(timeline), rewritingOf(timeline)];
  const own = stretchesOf(script, range);
  const all = follow(script, rewriting, own, "source");
  for (const [textblock, [from, to]] of follow(script, rewriting, own, "copy")) {
    const known = all.get(textblock);
    all.set(textblock, [Math.min(known?.[0] ?? from, from), Math.max(known?.[1] ?? to, to)]);
  }
  return all;
}

function slicesOf(timeline: Timeline, range: PassageRange): Slice[] {
  const { textblocks } = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  return [...standsOf(timeline, range)]
    .sort(([one], [other]) => one - other)
    .flatMap(([index, [from, to]]) => {
      const textblock = textblocks[index];
      return textblock ? [{ textblock, from, to, lives: rewriting.livesOf(textblock) }] : [];
    });
}

function revisionsOf(slices: Slice[]): number[] {
  const revisions = new Set<number>();
  for (const {
    from,
    to,
    lives: { born, died },
  } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      revisions.add(born[offset] ?? 0);
      const gone = died[offset] ?? never;
      if (gone !== never) revisions.add(gone);
    }
  }
  return [...revisions].sort((a, b) => a - b);
}

/** Gathers revisions into goes: of one author, without a pause of two minutes, within one session. */
function goesOf(timeline: Timeline, revisions: number[], contentOrigin: ContentOrigin): Go[] {
  const goes: Go[] = [];
  for (const revision of revisions) {
    const last = goes.at(-1);
    const author = timeline.authorOf(revision);
    const near = last && timeline.timeOf(revision) - timeline.timeOf(last.to) <= longestBreath;
    const copyIn = contentOrigin.copyInAt(revision);
    if (last && near && last.author === author && last.copyIn === copyIn) last.to = revision;
    else goes.push({ from: revision, to: revision, author, copyIn });
  }
  return goes;
}

/**
 * The characters of a passage that stood at a revision and for which `takes` holds; where others
 * stood between two of them, that is visible.
 */
function excerpt(
  slices: Slice[],
  at: number,
  takes: (born: number, died: number) => boolean,
): string {
  const parts: string[] = [];
  let open = "";
  const close = () => {
    if (open.trim() !== "") parts.push(open.trim());
    open = "";
  };
  for (const {
    textblock,
    from,
    to,
    lives: { born, died },
  } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      if (!standsAt(textblock, offset, at)) continue;
      if (takes(born[offset] ?? 0, died[offset] ?? never)) open += textblock.text[offset] ?? "";
      else close();
    }
    close();
  }
  return parts.join(elision);
}

/** What of a passage came with a copy-in; null where all of it turns out to be the carrier's own words. */
function copiedInOf(
  slices: Slice[],
  copyIn: CopyIn,
  contentOrigin: ContentOrigin,
): PassageOrigin | null {
  const found = new Set<ImportedPassage>();
  for (const { textblock, from, to } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      const imported = contentOrigin.of(textblock, offset);
      if (imported?.copyIn === copyIn) found.add(imported);
    }
  }
  if (found.size === 0) return null;
  return { copyIn, writers: [...found].flatMap(({ writer }) => writer ?? []) };
}

/**
 * What became of a passage, in order: what was written in it, reworded and deleted, by whom and when. What somebody
 * typed and took back in one go is left out.
 */
export function lifeOfPassage(
  timeline: Timeline,
  range: PassageRange,
  contentOrigin = contentOriginOf(timeline),
): PassageChange[] {
  const slices = slicesOf(timeline, range);
  return goesOf(timeline, revisionsOf(slices), contentOrigin).flatMap(
    ({ from, to, author, copyIn }) => {
      const within = (revision: number) => revision >= from && revision <= to;
      const added = excerpt(slices, to, within);
      const removed = excerpt(slices, from - 1, (_, died) => within(died));
      if (added === "" && removed === "") return [];
      const imported = copyIn && copiedInOf(slices, copyIn, contentOrigin);
      return [
        {
          from,
          to,
          author,
          added,
          removed,
          atOnce: !imported && added !== "" && isAtOnce(timeline, to),
          imported,
        },
      ];
    },
  );
}

/** The range from the first to the last of the places given; null where there are none. */
export function rangeOf(places: readonly Place[]): PassageRange | null {
  const ordered = places.toSorted((a, b) => a.textblock - b.textblock || a.offset - b.offset);
  const [start, end] = [ordered[0], ordered.at(-1)];
  return start && end ? { start, end } : null;
}

/** A passage of one timeline in a later one of the same document; null where its characters are not in it. */
export function passageIn(
  later: Timeline,
  earlier: Timeline,
  { start, end }: PassageRange,
): PassageRange | null {
  const moved = ({ textblock, offset }: Place): Place | null => {
    const own = scriptOf(earlier).textblocks[textblock];
    const id = own && idOf(own, offset);
    return id ? scriptOf(later).placeOf(id.client, id.clock) : null;
  };
  const [from, to] = [moved(start), moved(end)];
  return from && to ? { start: from, end: to } : null;
}

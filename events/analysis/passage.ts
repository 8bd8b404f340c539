import { bodyOf } from "@/events/core/recorded-body";
import { isAtOnce } from "./attribution";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type {
  CopyIn,
  ImportedPassage,
  ContentOrigin,
  Writer,
} from "@/events/analysis/lineage/copy-in";
import { never } from "@/events/crdt/updates/lifespans";
import type { Turn } from "@/events/analysis/lineage/lifeline";
import { rewritingOf } from "./rewriting";
import type { Lives, Rewriting } from "./rewriting";
import { idOf, scriptOf, standsAt } from "@/events/history/timeline/script";
import type { TextblockHistory, Place, Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/** A range of the script from its first to its last character, across textblocks. */
export type PassageRange = { start: Place; end: Place };

/** A passage's origin in another stream, and its known writers there. */
export type PassageOrigin = { copyIn: CopyIn; writers: Writer[] };

/** One author's changes to a passage in one burst, whose revisions are `from` to `to`. */
export type PassageChange = {
  from: number;
  to: number;
  author: number;
  added: string;
  removed: string;
  atOnce: boolean;
  imported: PassageOrigin | null;
  /**
   * The restore that returned or removed words without writing or deleting any. Null if the change
   * is writing.
   */
  restored: Restored | null;
};

/** The restored version, or null if changes were reverted or a passage was restored. */
export type Restored = { toVersion: number | null };

type Slice = { textblock: TextblockHistory; from: number; to: number; lives: Lives };
type Go = {
  revisions: number[];
  author: number;
  copyIn: CopyIn | null;
  restored: Restored | null;
};

const longestBreath = 2 * 60_000;
const elision = " … ";

/** Splits a range into ranges of single textblocks. */
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

/** Adds the sources (or the copies) of the ranges' characters, with all text between them. */
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
      // The part by which the range has grown is followed as well.
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
 * Returns every place where a passage ever stood, by textblock: its own ranges, and the ranges that
 * held its words before or after an edit rewrote them.
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

function revisionsOf(slices: Slice[], { isMove }: Rewriting): number[] {
  const revisions = new Set<number>();
  for (const {
    textblock,
    from,
    to,
    lives: { born, died },
  } of slices) {
    for (let offset = from; offset < to; offset += 1) {
      const here = textblock.born[offset] ?? 0;
      revisions.add(isMove(here) ? here : (born[offset] ?? 0));
      revisions.add(born[offset] ?? 0);
      const gone = died[offset] ?? never;
      if (gone !== never) revisions.add(gone);
    }
  }
  return [...revisions].sort((a, b) => a - b);
}

/** Groups revisions into bursts: one author, one session, and no pause of two minutes. */
function goesOf(timeline: Timeline, revisions: number[], contentOrigin: ContentOrigin): Go[] {
  const goes: Go[] = [];
  for (const revision of revisions) {
    const last = goes.at(-1);
    const before = last?.revisions.at(-1) ?? 0;
    const author = timeline.authorOf(revision);
    const near = last && timeline.timeOf(revision) - timeline.timeOf(before) <= longestBreath;
    const copyIn = contentOrigin.copyInAt(revision);
    const restored = restoredAt(timeline, revision);
    const sameEvent =
      restored === null ||
      timeline.revision(before).version === timeline.revision(revision).version;
    const same = last?.copyIn === copyIn && (last?.restored === null) === (restored === null);
    if (last && near && last.author === author && same && sameEvent) last.revisions.push(revision);
    else goes.push({ revisions: [revision], author, copyIn, restored });
  }
  return goes;
}

/** Returns the turns of each letter of a passage that a restore has moved. */
function movedLetters(
  slices: Slice[],
  rewriting: Rewriting,
  isRestore: (revision: number) => boolean,
): Set<readonly Turn[]> {
  const moved = new Set<readonly Turn[]>();
  for (const { textblock, from, to } of slices)
    for (let offset = from; offset < to; offset += 1)
      if (isRestore(textblock.born[offset] ?? 0) || isRestore(textblock.died[offset] ?? never))
        moved.add(rewriting.letters.turnsOf(textblock.start + offset));
  return moved;
}

const stoodAfter = (turns: readonly Turn[], revision: number) =>
  turns.findLast((turn) => turn.revision <= revision)?.comes === true;

/**
 * Splits a burst at restores between its revisions, if they moved letters that the burst wrote or
 * deleted: later changes are reported after the restore. Restores that cancelled out do not split
 * the burst, unless the burst deleted such letters afterwards.
 */
function divided(go: Go, moved: ReadonlySet<readonly Turn[]>): Go[] {
  const [from, to] = [go.revisions[0] ?? 0, go.revisions.at(-1) ?? 0];
  const own = [...moved].flatMap((turns) => {
    const last = turns.findLast(
      ({ revision, byHand }) => byHand && revision >= from && revision <= to,
    );
    return last ? [{ turns, last: last.revision }] : [];
  });
  const parts: Go[] = [];
  for (const revision of go.revisions) {
    const part = parts.at(-1);
    const before = part?.revisions.at(-1) ?? 0;
    const divides = own.some(
      ({ turns, last }) =>
        turns.some((turn) => turn.revision > before && turn.revision < revision) &&
        (last >= revision || stoodAfter(turns, before) !== stoodAfter(turns, revision - 1)),
    );
    if (part && !divides) part.revisions.push(revision);
    else parts.push({ ...go, revisions: [revision] });
  }
  return parts;
}

/** Returns the restore that a revision's event made, or null for any other event. */
function restoredAt(timeline: Timeline, revision: number): Restored | null {
  const { version, type } = timeline.revision(revision);
  if (type !== "document.reverted" && type !== "document.reworked") return null;
  const mark = timeline.marks.find((each) => each.version === version);
  return { toVersion: (mark && bodyOf(mark, "document.reverted")?.toVersion) ?? null };
}

/**
 * Returns a passage's characters that stood at a revision and satisfy `takes`. An ellipsis marks a
 * gap where other characters stood between them.
 */
function excerpt(
  slices: Slice[],
  at: number,
  takes: (born: number, died: number, here: number) => boolean,
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
      const here = textblock.born[offset] ?? 0;
      if (takes(born[offset] ?? 0, died[offset] ?? never, here))
        open += textblock.text[offset] ?? "";
      else close();
    }
    close();
  }
  return parts.join(elision);
}

/**
 * Returns the origin of the part of a passage that a copy-in inserted. Null if all of that part is
 * attributed to the person who copied it.
 */
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
 * Returns the history of a passage in order: the text that was written, reworded and deleted in it,
 * with authors and revisions. Text that was typed and deleted again in one burst is left out.
 */
export function lifeOfPassage(
  timeline: Timeline,
  range: PassageRange,
  contentOrigin = contentOriginOf(timeline),
): PassageChange[] {
  const slices = slicesOf(timeline, range);
  const rewriting = rewritingOf(timeline);
  const revisions = revisionsOf(slices, rewriting);
  const restores = new Set(revisions.filter((each) => restoredAt(timeline, each) !== null));
  const isRestore = (revision: number) => restores.has(revision);
  const writing = goesOf(
    timeline,
    revisions.filter((each) => !isRestore(each)),
    contentOrigin,
  );
  const moved = movedLetters(slices, rewriting, isRestore);
  const goes = [
    ...writing.flatMap((go) => divided(go, moved)),
    ...goesOf(timeline, revisions.filter(isRestore), contentOrigin),
  ].map((go) => ({ ...go, from: go.revisions[0] ?? 0, to: go.revisions.at(-1) ?? 0 }));
  // A burst that continues after a restore began before the restore.
  goes.sort((one, other) => one.from - other.from);
  return goes.flatMap(({ from, to, revisions: all, author, copyIn, restored }) => {
    const own = new Set(all);
    const added = excerpt(slices, to, (born, _, here) => own.has(restored ? here : born));
    const removed = excerpt(slices, from - 1, (_, died) => own.has(died));
    if (added === "" && removed === "") return [];
    const imported = copyIn && copiedInOf(slices, copyIn, contentOrigin);
    return [
      {
        from,
        to,
        author,
        added,
        removed,
        restored,
        atOnce: !imported && !restored && added !== "" && isAtOnce(timeline, to),
        imported,
      },
    ];
  });
}

/** Returns the range from the first to the last of some places, or null if there are none. */
export function rangeOf(places: readonly Place[]): PassageRange | null {
  const ordered = places.toSorted((a, b) => a.textblock - b.textblock || a.offset - b.offset);
  const [start, end] = [ordered[0], ordered.at(-1)];
  return start && end ? { start, end } : null;
}

/** Finds the same passage in a later timeline. Null if its characters are not in that timeline. */
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

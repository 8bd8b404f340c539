import { scriptOf, standsAt } from "@/events/history/timeline/script";
import type { Place, Script, TextblockHistory } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { characterOf } from "./anchor";
import type { Anchor } from "./anchor";

const space = /\s/;

/** The characters of a history that are copies of others (see `Rewriting`). */
export type Copies = {
  /**
   * Returns the place of the character that this one was copied from, or its own if it is no copy.
   */
  originOf(place: Place): Place;
  /** Whether any character of a textblock was copied from others. */
  touches(textblock: TextblockHistory | undefined, side: "source"): boolean;
};

/** An anchor's words in a history, as character indices in the script. */
type AnchoredWords = {
  /** The characters that stood when both ends last stood. */
  own: ReadonlySet<number>;
  /** The own characters, their sources, and all copies of these sources, in order. */
  all: readonly number[];
  /** The revision at which the first of the two ends was deleted. */
  went: number;
};

const known = new WeakMap<Timeline, Map<string, AnchoredWords | null>>();

const positionOf = ({ textblocks }: Script, { textblock, offset }: Place) =>
  (textblocks[textblock]?.start ?? 0) + offset;

/** Yields the places of all characters of some textblocks. */
function* charactersOf({ textblocks }: Script, first: number, last: number): Generator<Place> {
  for (let textblock = first; textblock <= last; textblock += 1)
    for (let offset = 0; offset < (textblocks[textblock]?.text.length ?? 0); offset += 1)
      yield { textblock, offset };
}

function read(timeline: Timeline, copies: Copies, { start, end }: Anchor): AnchoredWords | null {
  const script = scriptOf(timeline);
  const { textblocks } = script;
  const [first, last] = [start, end].map((text) => {
    const id = characterOf(text);
    return id && script.placeOf(id.client, id.clock);
  });
  if (!first || !last) return null;
  const ends = [first, last].map(({ textblock, offset }) => ({
    born: textblocks[textblock]?.born[offset] ?? 0,
    died: textblocks[textblock]?.died[offset] ?? 0,
  }));
  const went = Math.min(...ends.map(({ died }) => died));
  const [from, to] = [positionOf(script, first), positionOf(script, last)];
  // Ends that never stood at the same time enclose no words.
  if (from > to || Math.max(...ends.map(({ born }) => born)) >= went) return null;
  const [own, origins] = [new Set<number>(), new Set<number>()];
  for (const place of charactersOf(script, first.textblock, last.textblock)) {
    const at = positionOf(script, place);
    const textblock = textblocks[place.textblock];
    if (at < from || at > to || !textblock || !standsAt(textblock, place.offset, went - 1))
      continue;
    own.add(at);
    origins.add(positionOf(script, copies.originOf(place)));
  }
  const all = new Set([...own, ...origins]);
  for (const [index, textblock] of textblocks.entries()) {
    if (!copies.touches(textblock, "source")) continue;
    for (const place of charactersOf(script, index, index))
      if (origins.has(positionOf(script, copies.originOf(place))))
        all.add(positionOf(script, place));
  }
  return { own, all: [...all].sort((one, other) => one - other), went };
}

/** Returns an anchor's words in a history, or null if the anchor encloses none. */
export function anchoredWords(
  timeline: Timeline,
  copies: Copies,
  anchor: Anchor,
): AnchoredWords | null {
  const words = known.get(timeline) ?? new Map<string, AnchoredWords | null>();
  known.set(timeline, words);
  const key = `${anchor.start} ${anchor.end}`;
  const found = words.get(key);
  if (found !== undefined) return found;
  const made = read(timeline, copies, anchor);
  words.set(key, made);
  return made;
}

/**
 * Whether two characters are separated by a standing character that is not one of the words and
 * that stood there before the words were deleted.
 */
function isParted(script: Script, from: number, to: number, at: number, went: number): boolean {
  for (let position = from + 1; position < to; position += 1) {
    const { textblock, offset } = script.placeAt(position);
    const own = script.textblocks[textblock];
    if (
      own &&
      standsAt(own, offset, at) &&
      standsAt(own, offset, went - 1) &&
      !space.test(own.text[offset] ?? " ")
    )
      return true;
  }
  return false;
}

/**
 * Returns the first and last character of an anchor's continuation at a revision: copies made by an
 * editor or a restore. Of scattered copies, returns the largest part. Null if none stands.
 */
export function continuationAt(
  timeline: Timeline,
  copies: Copies,
  anchor: Anchor,
  at: number,
): { first: Place; last: Place } | null {
  const words = anchoredWords(timeline, copies, anchor);
  if (!words) return null;
  const script = scriptOf(timeline);
  const standing = words.all.filter((position) => {
    const { textblock, offset } = script.placeAt(position);
    const own = script.textblocks[textblock];
    return own && standsAt(own, offset, at) && !space.test(own.text[offset] ?? " ");
  });
  const parts: number[][] = [];
  for (const position of standing) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (!part || before === undefined || isParted(script, before, position, at, words.went))
      parts.push([position]);
    else part.push(position);
  }
  const [largest] = parts.toSorted((one, other) => other.length - one.length);
  const [first, last] = [largest?.[0], largest?.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { first: script.placeAt(first), last: script.placeAt(last) };
}

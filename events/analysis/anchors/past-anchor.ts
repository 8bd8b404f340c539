import { Letters } from "@/events/crdt/updates/letters";
import type { Spot, Stretch } from "@/events/crdt/updates/letters";
import { scriptOf, standsAt, textAt } from "@/events/history/timeline/script";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Anchor, AnchoredText } from "./anchor";
import { anchoredWords, continuationAt } from "./continuation";
import type { Copies } from "./continuation";
import { areOthersUndone, isPasted } from "./pasted-words";

const space = /\s/;

/**
 * Returns a document at a revision as a text for locating anchors, with the textblocks of the
 * script. The whole history is used to follow the words.
 */
export function pastText(timeline: Timeline, copies: Copies, at: number): AnchoredText {
  const script = scriptOf(timeline);
  const { textblocks, placeOf } = script;
  const spotAt = ({ textblock, offset }: Place, behind: 0 | 1): Spot => {
    const own = textblocks[textblock];
    return { textblock, offset: own ? textAt(own, at, 0, offset + behind).length : 0 };
  };
  /** Returns the places of a range's letters. */
  const placesOf = ({ from, to }: Stretch): Place[] => {
    const places: Place[] = [];
    for (let textblock = from.textblock; textblock <= to.textblock; textblock += 1) {
      const own = textblocks[textblock];
      const begin = textblock === from.textblock ? from.offset : 0;
      const end = textblock === to.textblock ? to.offset : Infinity;
      let standing = 0;
      for (let offset = 0; own && offset < own.text.length && standing < end; offset += 1) {
        if (!standsAt(own, offset, at)) continue;
        if (standing >= begin && !space.test(own.text[offset] ?? " "))
          places.push({ textblock, offset });
        standing += 1;
      }
    }
    return places;
  };
  const positionOf = ({ textblock, offset }: Place) => (textblocks[textblock]?.start ?? 0) + offset;
  /** Whether a character is no copy of other words: such copies do not match. */
  const isOfNoOthers = (place: Place, all: readonly number[]) => {
    const origin = positionOf(copies.originOf(place));
    return origin === positionOf(place) || all.includes(origin);
  };
  const bornOf = ({ textblock, offset }: Place) => textblocks[textblock]?.born[offset] ?? 0;
  const letterAt = (position: number) => {
    const { textblock, offset } = script.placeAt(position);
    return textblocks[textblock]?.text[offset] ?? " ";
  };
  const diedOf = ({ textblock, offset }: Place) => textblocks[textblock]?.died[offset] ?? 0;
  return {
    letters: new Letters(textblocks.length, (index) => {
      const textblock = textblocks[index];
      return textblock ? textAt(textblock, at) : "";
    }),
    spotOf(client, clock) {
      const place = placeOf(client, clock);
      const textblock = place && textblocks[place.textblock];
      if (!place || !textblock) return null;
      return { ...spotAt(place, 0), stands: standsAt(textblock, place.offset, at) };
    },
    continuationOf(anchor) {
      const found = continuationAt(timeline, copies, anchor, at);
      return found && { from: spotAt(found.first, 0), to: spotAt(found.last, 1) };
    },
    /**
     * Words return in one edit that inserts exactly the text that another edit of the same person
     * deleted (undo, or cut and paste). Beside their old place, letters written later also match.
     */
    mayBe(anchor: Anchor, stretch: Stretch, isBeside: boolean) {
      const words = anchoredWords(timeline, copies, anchor);
      if (!words) return false;
      const places = placesOf(stretch);
      const added = places.filter((place) => !words.own.has(positionOf(place)));
      const [first] = added;
      const isOfThese = (place: Place) =>
        bornOf(place) >= words.went && isOfNoOthers(place, words.all);
      if (!first || !added.every(isOfThese)) return false;
      const came = bornOf(first);
      const undone = areOthersUndone(timeline, added.map(positionOf), came, words.own);
      const letters = [...words.own].filter((position) => !space.test(letterAt(position)));
      const [position] = letters;
      if (undone || position === undefined) return false;
      const went = diedOf(script.placeAt(position));
      const atOnce =
        letters.every((each) => diedOf(script.placeAt(each)) === went) &&
        added.length === places.length &&
        added.every((each) => bornOf(each) === came);
      const pasted = atOnce
        ? isPasted(timeline, { position, went }, { position: positionOf(first), came })
        : null;
      return pasted ?? isBeside;
    },
  };
}

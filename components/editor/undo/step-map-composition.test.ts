import { StepMap } from "@tiptap/pm/transform";
import { expect, test } from "vitest";
import { seeded } from "../random-edits.fixture";
import { composedMap } from "./step-map-composition";

/** Creates a random map of a document of this size, and returns the size after it. */
function randomMap(random: () => number, size: number): { map: StepMap; size: number } {
  const ranges: number[] = [];
  let now = size;
  for (let at = Math.floor(random() * 4); at < size; at += 1 + Math.floor(random() * 6)) {
    const removed = Math.min(size - at, Math.floor(random() * 4));
    const added = Math.floor(random() * 4);
    if (removed + added > 0) ranges.push(at, removed, added);
    now += added - removed;
    at += removed;
  }
  return { map: new StepMap(ranges), size: now };
}

/** Returns the numbers of the letters that remain after a map, with null for each inserted one. */
function applied(map: StepMap, letters: readonly (number | null)[]): (number | null)[] {
  const result: (number | null)[] = [];
  let at = 0;
  map.forEach((from, to, newFrom, newTo) => {
    result.push(...letters.slice(at, from), ...Array.from({ length: newTo - newFrom }, () => null));
    at = to;
  });
  return [...result, ...letters.slice(at)];
}

test("[WRITE-30] two composed changes move every letter like the two in sequence", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = seeded(seed);
    const letters = Array.from({ length: 30 }, (_, index) => index);
    const first = randomMap(random, letters.length);
    const second = randomMap(random, first.size);
    const both = composedMap(first.map, second.map);
    expect(applied(both, letters), `seed ${seed}`).toEqual(
      applied(second.map, applied(first.map, letters)),
    );
  }
});

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Letters } from "./letters";

const lettersOf = (textblocks: readonly string[]) =>
  new Letters(textblocks.length, (textblock) => textblocks[textblock] ?? "");
const few = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 12 });

describe("words searched for in a text", () => {
  it("[COMMENT-5] are found at the nearest place, the earlier of two equally near", () => {
    fc.assert(
      fc.property(
        fc.array(few, { minLength: 1, maxLength: 4 }),
        few,
        fc.nat(40),
        (textblocks, words, near) => {
          const needle = words.replaceAll(" ", "");
          const text = textblocks.join("").replaceAll(" ", "");
          const places = [...text].flatMap((_, at) =>
            needle !== "" && text.startsWith(needle, at) ? [at] : [],
          );
          const [nearest] = places.toSorted(
            (one, other) => Math.abs(one - near) - Math.abs(other - near) || one - other,
          );
          const letters = lettersOf(textblocks);
          const found = letters.nearest(words, near, () => true);
          expect(found && letters.indexOf(found.from)).toBe(nearest ?? null);
          if (found)
            expect(letters.between(found.from, found.to).replaceAll(/\s/g, "")).toBe(needle);
        },
      ),
      { seed: 20261121, numRuns: 3000 },
    );
  });

  it("[COMMENT-5] are quoted up to a length, without reading the textblocks after it", () => {
    const textblocks = ["the quick", "brown fox", "jumps", "over the dog"];
    const read: number[] = [];
    const letters = new Letters(textblocks.length, (at) => (read.push(at), textblocks[at] ?? ""));
    const [from, to] = [
      { textblock: 0, offset: 4 },
      { textblock: 3, offset: 4 },
    ];
    expect([letters.between(from, to, 12), read]).toEqual(["quick\nbrown ", [0, 1]]);
    expect(letters.between(from, to, 100)).toBe("quick\nbrown fox\njumps\nover");
    expect(letters.between(from, { textblock: 0, offset: 9 }, 3)).toBe("qui");
  });

  it("[COMMENT-5] are found in a textblock as long as a book without reading all of it each time", () => {
    const text = "ab c ".repeat(20_000);
    const letters = lettersOf(["x", text, "y"]);
    const offsetOf = (letter: number) => letters.spotBefore(1 + letter)?.offset;
    expect(offsetOf(0)).toBe(0);
    const looks = vi.spyOn(RegExp.prototype, "test");
    const found = [1, 2, 3_071, 3_072, 3_073, 59_999].map(offsetOf);
    expect(looks.mock.calls.length).toBeLessThan(6 * 2_000);
    looks.mockRestore();
    const offsets = [...text].flatMap((sign, at) => (sign === " " ? [] : [at]));
    expect(found).toEqual([1, 2, 3_071, 3_072, 3_073, 59_999].map((letter) => offsets[letter]));
    expect(letters.spotBefore(60_001)).toEqual({ textblock: 2, offset: 0 });
  });

  it("[COMMENT-5] are searched for only near their place, in a text that almost matches at every letter", () => {
    const letters = lettersOf(["a".repeat(20_000), "b".repeat(5_000)]);
    const looks = vi.spyOn(String.prototype, "indexOf");
    for (const words of ["a".repeat(1_000), `${"a".repeat(999)}b`, "aa", "ab"]) {
      for (const near of [0, 10_000, 25_000])
        expect(letters.nearest(words, near, () => true)).not.toBeNull();
    }
    expect(letters.nearest("ba", 12_000, () => true)).toBeNull();
    expect(looks.mock.calls.length).toBeLessThan(13 * 20);
    looks.mockRestore();
  });
});

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { bareLetters } from "./letter-grams";
import { repeats } from "./repeated-words";

describe("[REDACT-9] repeated words", () => {
  it.each([
    ["the launch code is 0000", "launch code", true],
    ["Launch  Code", "the launch code is 0000", true],
    // A save contains one second of typing, not whole words.
    ["the launch code", "e laun", true],
    ["Ana", "my name is Ana", true],
    ["the cat", "the dog", false],
    ["an", "an", false],
    ["", "x", false],
    ["launch", "lunch", false],
  ])("%j and %j: %s", (text, words, expected) => {
    expect([repeats(text, words), repeats(words, text)]).toEqual([expected, expected]);
  });
});

/** The rule in its naive form: an n-gram of one text occurs in the other. */
function plainly(text: string, words: string): boolean {
  const [one = "", other = ""] = [bareLetters(text), bareLetters(words)].sort(
    (a, b) => a.length - b.length,
  );
  const length = Math.min(6, one.length);
  const pieces = Array.from({ length: one.length - length + 1 }, (_, at) =>
    one.slice(at, at + length),
  );
  return length >= 3 && pieces.some((piece) => other.includes(piece));
}

describe("[REDACT-10] the test for repeated words", () => {
  // Letters whose lower case is longer or combining, lone surrogates, and invisible characters.
  const letters = [
    "a",
    "A",
    "b",
    " ",
    "\n",
    "İ",
    "ß",
    "e\u0301",
    "é",
    "\u{1f600}",
    "\ud83d",
    "\ude00",
    "\u200b",
    "\ufeff",
    "Σ",
    "ς",
  ];
  const some = (most: number) =>
    fc.array(fc.constantFrom(...letters), { maxLength: most }).map((all) => all.join(""));

  it("equals its plain definition", () => {
    const counts = { true: 0, false: 0 };
    fc.assert(
      fc.property(
        some(6),
        some(6),
        some(6),
        some(30),
        some(30),
        (shared, before, after, ahead, behind) => {
          const [text, words] = [before + shared + after, ahead + shared + behind];
          const expected = plainly(text, words);
          counts[`${expected}`] += 1;
          return repeats(text, words) === expected && repeats(words, text) === expected;
        },
      ),
      { numRuns: 5_000 },
    );
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(200);
  });

  it("reads the words once, however long the reason is", () => {
    const words = "x".repeat(10_000);
    const looks = vi.spyOn(String.prototype, "includes");
    const pieces = vi.spyOn(Set.prototype, "has");
    try {
      expect(repeats("abcdefghij".repeat(30), words)).toBe(false);
      expect([looks.mock.calls.length, pieces.mock.calls.length]).toEqual([0, words.length - 5]);
    } finally {
      looks.mockRestore();
      pieces.mockRestore();
    }
  });
});

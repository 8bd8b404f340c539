import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutBreaks, leaf, longestBlock } from "./layout-breaks";

const breaksOf = (text: string, code = false, standing?: number[]) =>
  layoutBreaks(text.length, (from, to) => text.slice(from, to), code, standing);
const piecesOf = (text: string, breaks: number[]) =>
  [0, ...breaks].map((at, index) => text.slice(at, breaks[index]));
const prose = (length: number) => "One sentence, then another. ".repeat(length).slice(0, length);

test.each([
  [20_000, 6_000],
  [100_000, 6_000],
  [675_000, 26_000],
])("[EDIT-50] a block of %i letters has few pieces, of at most %i letters", (size, most) => {
  expect(breaksOf(prose(longestBlock))).toEqual([]);
  const pieces = piecesOf(prose(size), breaksOf(prose(size)));
  expect(pieces.join("")).toBe(prose(size));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(most);
  expect(Math.min(...pieces.map(({ length }) => length))).toBeGreaterThan(1_000);
  expect(pieces.length).toBeLessThanOrEqual(44);
});

test(
  "[EDIT-50] a block that grows by pasting drops the many " + "breaks of its shorter states",
  () => {
    let breaks: number[] = [];
    for (let size = 60_000; size <= 1_200_000; size += 60_000)
      breaks = breaksOf(prose(size), false, breaks);
    expect(breaks.length).toBeLessThan(100);
  },
);

test.each([
  ["a sentence", prose(20_000), false, /another\. $/],
  ["a word", "word ".repeat(4_000), false, /word $/],
  ["a line of code", "let a = 1\n".repeat(2_000), true, /\n$/],
  ["a line break", `several words${leaf}`.repeat(2_000), false, new RegExp(`${leaf}$`)],
  ["a sentence without spaces", "这是一句话。".repeat(3_000), false, /。$/],
])("[EDIT-50] a piece ends after %s", (_what, text, code, end) => {
  const pieces = piecesOf(text, breaksOf(text, code)).slice(0, -1);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.filter((piece) => !end.test(piece))).toEqual([]);
});

test("[EDIT-50] no piece ends inside a grapheme", () => {
  const letters = ["👩‍👩‍👧‍👦", "e\u0301\u0323", "🇩🇪", "각", "😀", "x"];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...letters), { minLength: 40, maxLength: 60 }),
      fc.nat(20),
      (some, shift) => {
        const text = "x".repeat(shift) + some.join("").repeat(80);
        const ends = new Set(
          Array.from(
            new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text),
            ({ index }) => index,
          ),
        );
        expect(breaksOf(text).filter((at) => !ends.has(at))).toEqual([]);
      },
    ),
    { numRuns: 20 },
  );
});

test("[EDIT-50] writing in one piece leaves the others as they are, and cuts that piece once it is too long", () => {
  let text = prose(40_000);
  let breaks = breaksOf(text);
  const [before, after] = [breaks.slice(0, 3), breaks.slice(3)];
  for (let letters = 0; letters < 9_000; letters += 100) {
    const at = (breaks[2] ?? 0) + 50;
    text = text.slice(0, at) + "y".repeat(100) + text.slice(at);
    breaks = breaksOf(
      text,
      false,
      breaks.map((place) => (place > at ? place + 100 : place)),
    );
  }
  expect(breaks.slice(0, 3)).toEqual(before);
  expect(breaks.slice(-after.length)).toEqual(after.map((place) => place + 9_000));
  expect(breaks.length).toBeGreaterThan(before.length + after.length);
  expect(Math.max(...piecesOf(text, breaks).map(({ length }) => length))).toBeLessThanOrEqual(
    longestBlock,
  );
});

test("[EDIT-50] a piece that shrinks joins its neighbour, and a short block has no breaks", () => {
  const text = prose(20_000);
  const [first = 0, second = 0, ...others] = breaksOf(text);
  const shorter = text.slice(0, first + 300) + text.slice(second);
  const joined = breaksOf(shorter, false, [
    first,
    first + 300,
    ...others.map((at) => at - (second - first - 300)),
  ]);
  expect(joined).not.toContain(first + 300);
  expect(breaksOf(prose(5_000), false, [1_500, 3_000])).toEqual([]);
  // Near the limit, the breaks do not appear or disappear with every letter.
  expect(breaksOf(prose(longestBlock - 1), false, [4_000])).toEqual([4_000]);
});

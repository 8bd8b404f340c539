/**
 * The code points that can begin an emoji, as ranges: Extended_Pictographic of Unicode 17,
 * including the ones reserved for future emoji. `private.is_emoji()` in the database has the same
 * list, so that validity does not depend on the browser's version. Every page ships this list, so
 * each range is written as two differences in base 36: from the end of the previous range, and to
 * its own end.
 */
const differences = `
  4p 5 68e d 61 n 2j-5 g-1 a8-1 d 4n q-a 5-2 5k 6g-1 b a 1n-3 2-4 a 3 3-1 3 5 3 2-1 3 4 4-1 9-2 6
  2 6-b c-1 3 2-1 2 j 3-1 j-5 2 2-1 4-1 6 3-1 5-1 c-1 6-1 3 6-1 2 2-1 l-1 6-5 2-3 3 5 3 3-5 2 3 2
  2 7 4 7 b-1 g 3 5 2 5-2 2 c-1 1d-2 a f f ad-1 cw-2 k-1 1g 5 yj d gq 2 2fzf 14-3 2t-b g-1 g f-1
  12-9 35-1 d-1 f 3-9 k-1j s-e b l 3-8 2-3 a-m 7-57 3-33 3-1 2-2 3-2a 3-2 2-3 6-71 2-1q c-5 2-n
  8-1 3-7 d 3-3 3 5-1 e-1 3 9-1 a 6-2 d-2 9-2 3 2 5 7 4 7-2d 1d-1x 6-7 3-g 4 2-5 3-c 63-11 d-3
  1l-7 b-5 15-7 v-1 d-3 3-d a-12 d-1a 2-9 2-54 2h-7 f-41 75-sd
`;

export const pictographs: readonly (readonly [first: number, last: number])[] =
  rangesOf(differences);

function rangesOf(text: string): [number, number][] {
  let end = 0;
  return text
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [gap = 0, length = 0] = range.split("-").map((digits) => parseInt(digits, 36));
      const first = end + gap;
      end = first + length;
      return [first, end];
    });
}

const pictograph = `[${pictographs
  .map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`)
  .join("")}]`;
const element = `${pictograph}(?:\\ufe0f|[\\u{1f3fb}-\\u{1f3ff}])?`;

/**
 * Matches exactly one emoji: a keycap, a flag as two letters or as tags, or up to five joined
 * pictographs, each alone or with a skin tone or variation selector. Schemas check icons with it.
 */
export const oneEmoji = new RegExp(
  [
    "^(?:[0-9#*]\\ufe0f\\u20e3",
    "[\\u{1f1e6}-\\u{1f1ff}]{2}",
    "\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}",
    `${element}(?:\\u200d${element}){0,4})$`,
  ].join("|"),
  "u",
);

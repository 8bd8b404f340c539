/**
 * Invisible characters as ranges of code points: spaces, controls, Unicode's
 * Default_Ignorable_Code_Point (joiners, direction marks, fillers, variation selectors, tags),
 * interlinear annotation, the empty Braille pattern, and lone surrogates. The database has the same
 * list in `private.invisible()`.
 */
export const invisible: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const set = invisible
  .map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`)
  .join("");

/** Matches an empty text, or a text with a visible character. Schemas check names with it. */
export const emptyOrVisible = new RegExp(`^$|[^${set}]`, "u");

const space = /[\s\p{Cc}]/u;

/** Returns a name in its stored form: trimmed, and empty if no character is visible. */
export function normalizedName(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && space.test(text.charAt(from))) from += 1;
  while (to > from && space.test(text.charAt(to - 1))) to -= 1;
  const name = text.slice(from, to);
  return emptyOrVisible.test(name) ? name : "";
}

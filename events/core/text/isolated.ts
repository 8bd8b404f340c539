/** Letters that run from right to left, and marks that turn the direction of what follows. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Marks that would reach beyond the name that they stand in. */
const reaching = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A name or a title as it stands in a sentence of another script: whatever its direction, the words and signs around it
 * keep their order (U+2068 … U+2069, the plain text's `<bdi>`). One that turns nothing is left as it is.
 */
export function isolated(name: string): string {
  return turning.test(name) ? `\u2068${name.replace(reaching, "")}\u2069` : name;
}

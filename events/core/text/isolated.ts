/** Right-to-left letters, and direction marks. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Direction marks whose effect would extend beyond the name. */
const reaching = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Isolates a name or title inside a sentence with U+2068 … U+2069 (the plain-text `<bdi>`), so that
 * the words and punctuation around the name keep their order. Returns the name unchanged if it does
 * not affect the direction of text.
 */
export function isolated(name: string): string {
  return turning.test(name) ? `\u2068${name.replace(reaching, "")}\u2069` : name;
}

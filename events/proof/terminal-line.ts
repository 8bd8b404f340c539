/**
 * Characters that move a terminal's cursor, end a line, change the reading direction, or are
 * invisible.
 */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns another person's words as one harmless terminal line, with control characters escaped,
 * such as `\u001b`.
 */
export function terminalLine(words: string): string {
  return words.replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What moves the cursor of a terminal, ends a line, turns the direction of reading or is not seen. */
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Words of somebody else as one line of a terminal that says nothing but them: `\u001b` for the
 * sign that begins a command.
 */
export function terminalLine(words: string): string {
  return words.replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

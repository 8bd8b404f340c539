const longest = 4_000;

/**
 * Makes a line fit to be printed: topics and events are whatever a client says, and must neither
 * forge a line of their own nor steer a terminal. A stack trace keeps its lines.
 */
export function logLine(text: string): string {
  const shown = text.replace(
    /\n(?! {4}at )|[^\P{C}\n]|\p{Zl}|\p{Zp}/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

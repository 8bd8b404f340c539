const longest = 4_000;

/**
 * Makes a line safe to print. Clients choose topics and events, which must not forge log lines or
 * contain terminal escapes. The line breaks of stack traces are kept.
 */
export function logLine(text: string): string {
  const shown = text.replace(
    /\n(?! {4}at )|[^\P{C}\n]|\p{Zl}|\p{Zp}/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

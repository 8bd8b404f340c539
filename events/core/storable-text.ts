/** Text as PostgreSQL can hold it, in a column or in JSON: without NUL, and with U+FFFD for a lone surrogate. */
export const storableText = (text: string): string =>
  text.replaceAll("\0", "").replace(/\p{Cs}/gu, "\ufffd");

/** The same of every text in a value that is sent as JSON. */
export function storableJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? storableText(each) : each,
  );
}

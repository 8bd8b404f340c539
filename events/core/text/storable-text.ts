/** Halves of letters: surrogates of UTF-16 without the one that belongs to them. */
export const loneSurrogates = /\p{Cs}/gu;

/** Text as PostgreSQL can hold it, in a column or in JSON: without NUL, and with U+FFFD for a lone surrogate. */
export const storableText = (text: string): string =>
  text.replaceAll("\0", "").replace(loneSurrogates, "\ufffd");

/** The same of every text in a value that is sent as JSON. */
export function storableJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? storableText(each) : each,
  );
}

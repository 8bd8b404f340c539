/** Lone surrogates: halves of a UTF-16 pair. */
export const loneSurrogates = /\p{Cs}/gu;

/**
 * Returns text that PostgreSQL can store in a column or in JSON: NUL is removed, and U+FFFD
 * replaces lone surrogates.
 */
export const storableText = (text: string): string =>
  text.replaceAll("\0", "").replace(loneSurrogates, "\ufffd");

/** Makes every string in a JSON value storable. */
export function storableJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? storableText(each) : each,
  );
}

/** Lone surrogates: halves of a UTF-16 pair. */
export const loneSurrogates = /\p{Cs}/gu;

/**
 * Text that PostgreSQL can store, in a column or in JSON: without NUL, and with U+FFFD for lone
 * surrogates.
 */
export const storableText = (text: string): string =>
  text.replaceAll("\0", "").replace(loneSurrogates, "\ufffd");

/** Makes every text in a JSON value storable. */
export function storableJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? storableText(each) : each,
  );
}

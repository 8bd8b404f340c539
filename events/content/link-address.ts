const allowedSchemes = new Set(["https:", "http:", "mailto:"]);
/** The most characters of a link's address. */
export const longestAddress = 2_048;

/**
 * Whether a link may have this address: https, http, mailto, or an address within this site. Other
 * schemes, protocol-relative addresses and control characters are refused. (Browsers skip control
 * characters, so `java\tscript:` would run.) No URL parser is used, because parsers differ between
 * browsers and every reader must get the same result.
 */
export function isAllowedAddress(text: string): boolean {
  if (
    text === "" ||
    text.length > longestAddress ||
    /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\<>"]/.test(text)
  )
    return false;
  if (/^[/?#]/.test(text)) return !text.startsWith("//");
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1]?.toLowerCase();
  return scheme !== undefined && allowedSchemes.has(scheme);
}

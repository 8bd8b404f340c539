const allowedSchemes = new Set(["https:", "http:", "mailto:"]);
/** As many characters as the address of a link has at most. */
export const longestAddress = 2_048;

/**
 * Whether a link may carry this address: https, http, mailto or an address within this site. Every
 * other scheme, protocol-relative addresses and control characters (which browsers skip, so
 * `java\tscript:` would run) are refused. It asks no URL parser, because those differ from one
 * browser to the next and every reader has to come to the same answer.
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

const allowedSchemes = new Set(['https:', 'http:', 'mailto:'])
const longestAddress = 2_048

/**
 * Returns the address in the form a link may carry, or null when it must not become a link.
 * Allowed are https, http, mailto and addresses within this site; every other scheme, protocol-relative
 * addresses and control characters (which browsers skip, so `java\tscript:` would run) are refused.
 */
export function safeAddress(address: unknown): string | null {
  if (typeof address !== 'string') return null
  const text = address.trim()
  if (text === '' || text.length > longestAddress || /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\<>"]/.test(text)) return null
  if (/^[/?#]/.test(text)) return text.startsWith('//') ? null : text
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || !allowedSchemes.has(scheme)) return null
  return URL.canParse(text) ? text : null
}

/**
 * Returns what somebody typed into a link field as a safe address: `example.org` becomes https, a bare
 * mail address becomes mailto; null when it cannot be a link.
 */
export function addressFromInput(input: string): string | null {
  const text = input.trim()
  const plain = safeAddress(text)
  if (plain !== null) return plain
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return safeAddress(`mailto:${text}`)
  if (/^[^\s:/?#@]+\.[a-z]{2,}([/?#:]\S*)?$/i.test(text)) return safeAddress(`https://${text}`)
  return null
}

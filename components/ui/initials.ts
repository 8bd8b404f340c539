/** Takes one or two capital letters from a name: of the first word and of the last. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return ends.map((word) => Array.from(word ?? '')[0] ?? '').join('').toLocaleUpperCase() || '?'
}

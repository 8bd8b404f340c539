import type { Json } from '../../events/envelope'

type ImportMark = { type: string; moment: number; body: Json }

const list = new Intl.ListFormat('en-GB')

function nameOf(author: Json): string[] {
  return author !== null && typeof author === 'object' && !Array.isArray(author) && typeof author.name === 'string' ? [author.name] : []
}

/** Where the text of a document came from that began as an import, and who wrote it there; null up to that moment and elsewhere. */
export function importedWords(marks: readonly ImportMark[], index: number): string | null {
  const mark = marks.find(({ type, moment }) => type === 'document.imported' && moment <= index)
  const body = mark?.body
  if (!body || typeof body !== 'object' || Array.isArray(body) || typeof body.label !== 'string') return null
  const names = Array.isArray(body.authors) ? body.authors.flatMap(nameOf) : []
  return `Imported from ${body.label}.${names.length > 0 ? ` Written there by ${list.format(names)}.` : ''}`
}

import { readCarried } from './carried-payload'
import { type Ruled } from '../envelope'
import { insertedText } from '../yjs/inserted-text'
import { decodeEdits, PayloadError } from './payload'
import { UpdateError } from '../yjs/yjs-update'

/** The keys of a body under which a redaction empties what stands. */
export const wordKeys: readonly string[] = ['title', 'text', 'quote', 'name', 'label', 'authors']

/** The words that a redaction of this event would destroy, for people to read; empty where it has none, or none any more. */
export function redactableWords(row: Pick<Ruled, 'body' | 'update' | 'clientTime' | 'redactedBy'>): string {
  if (row.redactedBy !== undefined) return ''
  const { body, update } = row
  const said = typeof body === 'object' && body !== null && !Array.isArray(body) ? wordKeys.map((name) => body[name]).filter((value) => typeof value === 'string') : []
  return [...said, update ? written(update, Date.parse(row.clientTime)) : ''].filter((words) => words !== '').join('\n')
}

function written(update: Uint8Array, start: number): string {
  try {
    return decodeEdits(readCarried(update)?.payload ?? update, start).map((edit) => insertedText(edit.update)).join('')
  } catch (error) {
    if (error instanceof PayloadError || error instanceof UpdateError) return ''
    throw error
  }
}

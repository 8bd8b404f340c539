import * as Y from 'yjs'
import { carriedEmpty, carry } from '../../events/lineage/carry'
import { firstCodePoints } from '../../events/code-points'
import type { Json, Proposal } from '../../events/envelope'
import { schemaVersion } from '../editor/schema'
import type { CheckedBundle } from './bundle-check'

type Input = {
  checked: CheckedBundle
  /** SHA-256 of the file, in hex. */
  file: string
  /** The workspace that the document is begun in. */
  workspaceId: string
  newId: () => string
  /** ISO 8601. */
  now: string
}

const mostAuthors = 500
const mostClients = 5_000
/** Below what an event's body may have, with room for the rest of it. */
const mostAuthorBytes = 56_000

/** The newest text of a bundle, as one Yjs update without what was deleted on the way. */
function stateOf({ timeline }: CheckedBundle): Uint8Array {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, timeline.state())
  return Y.encodeStateAsUpdate(doc)
}

/** Who wrote a bundle, by name, each with the Yjs client ids that the events bound to them. */
function authorsOf({ bundle }: CheckedBundle): { name: string; clients: number[] }[] {
  const owners = new Map<number, string>()
  for (const { actorId, clientIds } of bundle.rows) for (const client of clientIds) if (!owners.has(client)) owners.set(client, actorId)
  const authors = bundle.people.slice(0, mostAuthors).map(({ id, name }) => ({
    name: firstCodePoints(name, 80),
    clients: [...owners].filter(([, owner]) => owner === id).map(([client]) => client).slice(0, mostClients),
  }))
  // A document that so many tabs have written keeps the names of its authors, and no longer whose each letter is.
  return JSON.stringify(authors).length > mostAuthorBytes ? authors.map(({ name }) => ({ name, clients: [] })) : authors
}

/** The appends, one after the other, that begin a new document as a bundle has it; the first one begins the stream. */
export function importProposals({ checked, file, workspaceId, newId, now }: Input): Proposal[][] {
  const { manifest } = checked.bundle
  const { id: source, title } = manifest.document
  const day = manifest.exported.at.slice(0, 10)
  const body: Json = {
    document: source,
    version: manifest.head.version,
    head: manifest.head.hash,
    bundle: file,
    events: manifest.events,
    label: firstCodePoints(`“${title}”, exported by ${manifest.exported.by.name} on ${day}`, 300),
    authors: authorsOf(checked),
  }
  const created: Proposal = { id: newId(), type: 'document.created', body: { workspaceId, title }, clientTime: now }
  const pieces = carry(stateOf(checked), source)
  const imported = (pieces.length > 0 ? pieces : [carriedEmpty(source)]).map(
    ({ update, clientIds }): Proposal => ({ id: newId(), type: 'document.imported', body, update, clientIds, schema: schemaVersion, clientTime: now }),
  )
  const [first, ...rest] = imported
  return [[created, ...(first ? [first] : [])], ...rest.map((proposal) => [proposal])]
}

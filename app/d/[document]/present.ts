import type { SupabaseClient } from '@supabase/supabase-js'
import { bindClients } from '@/events/confirmed/admission'
import type { DocumentState } from '@/events/confirmed/document-state'
import { readSnapshot, type Snapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { LogReader, type Reading } from '@/machines/actors/log-reader'
import { encodeStateAsUpdate } from 'yjs'

/** A document folded from its newest snapshot and what was read behind that: at its newest version, or at `at`. */
export type Folded = Reading & { confirmed: LogReader['confirmed']; snapshot: Snapshot | null }

/** Folds a document with the rights of a client: of who reads it, or the service's for who may read its text and not its log. */
export async function foldFor(client: SupabaseClient, id: string, at: number | null): Promise<Folded> {
  const end = at ?? Infinity
  const snapshot = await readSnapshot(client, id, at)
  const store = supabaseStore(client)
  const reader = new LogReader(id, { read: (stream, from, max = Infinity) => store.read(stream, from, Math.min(max, end - from)) }, snapshot)
  const reading = await reader.read()
  return { ...reading, confirmed: reader.confirmed, snapshot }
}

/** Who is bound to which Yjs client id, and the highest schema in the log: what the snapshot knew, and what came behind it. */
export function boundBy({ rows, snapshot }: Pick<Folded, 'rows' | 'snapshot'>): Pick<Snapshot, 'owners' | 'schema'> {
  const owners = new Map(snapshot?.owners)
  for (const each of rows) bindClients(each, owners)
  const schema = rows.reduce((highest, { update, schema: own }) => (update ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
  return { owners: [...owners], schema }
}

/** The snapshot that a fold is worth. */
export function snapshotOf(folded: Folded): Snapshot {
  const { version, doc } = folded.confirmed
  return { version, state: encodeStateAsUpdate(doc), ...boundBy(folded) }
}

/** The state of a fold as its parts: the snapshot's own bytes and what came behind it; of one that began anew, a state made for it. */
export function partsOf({ accepted, confirmed, refolded, snapshot }: Folded): Required<Pick<DocumentState, 'state' | 'since'>> {
  // Encoding a long history takes as long as rendering its text.
  if (snapshot && !refolded) return { state: snapshot.state, since: accepted.map(({ update }) => update) }
  return { state: encodeStateAsUpdate(confirmed.doc), since: [] }
}

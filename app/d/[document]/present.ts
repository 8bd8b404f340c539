import type { SupabaseClient } from '@supabase/supabase-js'
import { bindClients } from '@/events/confirmed/admission'
import type { Ruled } from '@/events/envelope'
import { readSnapshot, type Snapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { LogReader } from '@/machines/actors/log-reader'
import { encodeStateAsUpdate } from 'yjs'

/** A document as the service folds it: at its newest version, or at `at`. */
export type Folded = { confirmed: LogReader['confirmed']; rows: readonly Ruled[]; snapshot: Snapshot | null }

/** Folds a document with the service's rights, for who may read its text and not its log. */
export async function foldFor(service: SupabaseClient, id: string, at: number | null): Promise<Folded> {
  const end = at ?? Infinity
  const snapshot = await readSnapshot(service, id, at)
  const store = supabaseStore(service)
  const reader = new LogReader(id, { read: (stream, from, max = Infinity) => store.read(stream, from, Math.min(max, end - from)) }, snapshot)
  const { rows } = await reader.read()
  return { confirmed: reader.confirmed, rows, snapshot }
}

/** The snapshot that a fold is worth. */
export function snapshotOf({ confirmed, rows, snapshot }: Folded): Snapshot {
  const owners = new Map(snapshot?.owners)
  for (const each of rows) bindClients(each, owners)
  const schema = rows.reduce((highest, { update, schema: own }) => (update ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
  return { version: confirmed.version, state: encodeStateAsUpdate(confirmed.doc), owners: [...owners], schema }
}

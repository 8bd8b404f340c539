import type { SupabaseClient } from '@supabase/supabase-js'
import { encodeStateAsUpdate } from 'yjs'
import { BrokenRecording } from '@/events/replay/recording'
import { sealHistory } from '@/events/segment/sealing'
import { isSnapshotDue, readSnapshot, type Tail, writeSnapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { bindClients } from '@/events/confirmed/admission'
import { LogReader } from '@/machines/actors/log-reader'
import { serviceClient } from '@/supabase/server'

const busy = new Set<string>()
/** Logs that cannot be sealed: trying again reads all of them, and comes to the same. */
const broken = new Set<string>()

async function once(document: string, work: (service: SupabaseClient) => Promise<void>): Promise<void> {
  const service = serviceClient()
  if (!service || busy.has(document)) return
  busy.add(document)
  try {
    await work(service)
  } finally {
    busy.delete(document)
  }
}

async function seal(service: SupabaseClient, document: string): Promise<void> {
  if (broken.has(document)) return
  try {
    await sealHistory(service, document)
  } catch (error) {
    if (!(error instanceof BrokenRecording)) throw error
    broken.add(document)
  }
}

/** Folds what the log holds behind the newest snapshot, and keeps that as the next one where `isDue` says so of the tail. */
async function renewSnapshot(service: SupabaseClient, document: string, isDue: (tail: Tail) => boolean): Promise<void> {
  const snapshot = await readSnapshot(service, document)
  const reader = new LogReader(document, supabaseStore(service), snapshot)
  const { rows } = await reader.read()
  const { version, doc } = reader.confirmed
  const head = rows.find((row) => row.version === version)?.hash
  const bytes = rows.reduce((sum, { update }) => sum + (update?.length ?? 0), 0)
  if (!head || !isDue({ events: rows.length, bytes, snapshot: snapshot?.state.length ?? 0 })) return
  const owners = new Map(snapshot?.owners)
  for (const row of rows) bindClients(row, owners)
  const schema = rows.reduce((highest, { update, schema: own }) => (update ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
  await writeSnapshot(service, document, { version, state: encodeStateAsUpdate(doc), owners: [...owners], schema }, { head })
}

/** Seals what a document's log holds beyond its last segment, off the hot path and once at a time; who may read it must have been asked before. */
export function sealLater(document: string): Promise<void> {
  return once(document, (service) => seal(service, document))
}

/**
 * Makes the snapshot that is due and seals what is to be sealed, off the hot path and once at a time. `isDue` may be more
 * eager than a reader's measure.
 */
export function keepUp(document: string, isDue: (tail: Tail) => boolean = isSnapshotDue): Promise<void> {
  return once(document, async (service) => {
    await renewSnapshot(service, document, isDue)
    await seal(service, document)
  })
}

import type { SupabaseClient } from '@supabase/supabase-js'
import { after } from 'next/server'
import type { GradedSnapshot } from '@/components/document/graded-page'
import { staticHtml } from '@/components/editor/static-html'
import { bindClients } from '@/events/yjs/admission'
import { versionsOf, type DocumentRow } from '@/events/projections'
import { readSnapshot, writeSnapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { LogReader } from '@/machines/actors/log-reader'
import { serviceClient } from '@/supabase/server'
import { encodeStateAsUpdate } from 'yjs'

/** A tail longer than this is folded into a new snapshot once the page has been sent; a named version always is. */
const longestTail = 64

/**
 * The present text, or that of a version with a name, for a reader who may not read the log: the service folds it for
 * them, and no state that says more than the text leaves the server. Without a service key there is no text.
 */
export async function loadGraded(client: SupabaseClient, row: DocumentRow, named: number | null): Promise<GradedSnapshot> {
  const versions = await versionsOf(client, row.id)
  const shown = versions.find(({ at }) => at === named) ?? null
  const service = serviceClient()
  if (!service) return { graded: true, row, html: null, version: row.version, versions, shown }
  const end = shown?.at ?? Infinity
  const snapshot = await readSnapshot(service, row.id, shown?.at ?? null)
  const store = supabaseStore(service)
  const reader = new LogReader(row.id, { read: (stream, from, max = Infinity) => store.read(stream, from, Math.min(max, end - from)) }, snapshot)
  const { rows } = await reader.read()
  const { confirmed } = reader
  const { version } = confirmed
  const head = rows.at(-1)?.hash
  if (head && rows.length > (shown ? 0 : longestTail)) {
    const owners = new Map(snapshot?.owners)
    for (const each of rows) bindClients(each, owners)
    const schema = rows.reduce((highest, { update, schema: own }) => (update ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
    const state = encodeStateAsUpdate(confirmed.doc)
    after(() => writeSnapshot(service, row.id, { version, state, owners: [...owners], schema }, { head, seen: Math.max(row.version, version) }))
  }
  return { graded: true, row, html: staticHtml(confirmed.doc.getXmlFragment('default')), version, versions, shown }
}

import { cookies } from 'next/headers'
import { after } from 'next/server'
import { cache } from 'react'
import { bindClients, isCarried } from '@/events/confirmed/admission'
import { toBase64 } from '@/events/base64'
import type { Ruled } from '@/events/envelope'
import { documentById } from '@/events/projections'
import { isSnapshotDue, readSnapshot, type Snapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { seesEverything } from '@/machines/history-grade'
import { LogReader } from '@/machines/actors/log-reader'
import { parseZone, zoneCookie } from '@/components/clock-cookie'
import type { DocumentSnapshot } from '@/components/document/document-snapshot'
import type { GradedSnapshot } from '@/components/document/graded-page'
import { staticHtml } from '@/components/editor/static-html'
import { readWorkspace, type WorkspaceSnapshot } from '@/components/workspace/snapshot'
import { identity } from '@/supabase/identity'
import { pageClient } from '@/supabase/server'
import { encodeStateAsUpdate } from 'yjs'
import { loadGraded } from './load-graded'
import { keepUp } from './upkeep'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type Loaded = { workspace: WorkspaceSnapshot; document: DocumentSnapshot | GradedSnapshot }

/**
 * Reads a document, its text and its workspace under the rights of who asks: 'signed-out', or null where there is nothing
 * for them. `named` is the version that a reader asks for who is shown named versions alone.
 */
export const loadDocument = cache(async (id: string, named: number | null): Promise<Loaded | 'signed-out' | null> => {
  const client = await pageClient()
  const who = await identity(client)
  if (!who) return 'signed-out'
  if (!uuid.test(id)) return null
  const row = await documentById(client, id)
  if (!row) return null
  const store = supabaseStore(client)
  const clock = { now: Date.now(), zone: parseZone((await cookies()).get(zoneCookie)?.value) }
  const [workspace, snapshot] = await Promise.all([readWorkspace(client, row.workspaceId, who.userId, clock), readSnapshot(client, id)])
  if (!workspace) return null
  const role = workspace.members.find(({ userId, phase }) => userId === who.userId && phase === 'active')?.role
  if (role && !seesEverything(role, workspace.workspace.history)) return { workspace, document: await loadGraded(client, row, named) }
  const reader = new LogReader(id, store, snapshot)
  const { rows } = await reader.read()
  const { confirmed } = reader
  const state = encodeStateAsUpdate(confirmed.doc)
  const owners = [...bindings(snapshot, rows)]
  const schema = rows.reduce((highest, { update, schema: own }) => (update ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
  const { version } = confirmed
  const tail = rows.reduce((bytes, { update }) => bytes + (update?.length ?? 0), 0)
  if (isSnapshotDue({ events: rows.length, bytes: tail, snapshot: snapshot?.state.length ?? 0 })) {
    after(() => keepUp(id))
  }
  const html = staticHtml(confirmed.doc.getXmlFragment('default'))
  const writers = [...new Set(owners.map(([, owner]) => owner).filter((owner) => !isCarried(owner)))]
  return { workspace, document: { row, html, state: toBase64(state), version, owners, schema, writers } }
})

/** Who is bound to which Yjs client id: what the snapshot knew and what the rows after it bound. */
function bindings(snapshot: Snapshot | null, rows: Ruled[]): Map<number, string> {
  const owners = new Map(snapshot?.owners)
  for (const row of rows) bindClients(row, owners)
  return owners
}

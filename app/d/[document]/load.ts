import { cookies } from 'next/headers'
import { after } from 'next/server'
import { cache } from 'react'
import { toBase64 } from '@/events/base64'
import { documentById } from '@/events/projections'
import { readSnapshot, writeSnapshot } from '@/events/snapshot'
import { supabaseStore } from '@/events/store'
import { LogReader } from '@/machines/actors/log-reader'
import type { DocumentSnapshot } from '@/components/document/document-page'
import { staticHtml } from '@/components/editor/static-html'
import { zoneCookie } from '@/components/use-clock'
import { readWorkspace, type WorkspaceSnapshot } from '@/components/workspace/snapshot'
import { identity } from '@/supabase/identity'
import { pageClient, serviceClient } from '@/supabase/server'
import { encodeStateAsUpdate } from 'yjs'

/** A tail longer than this is folded into a new snapshot once the page has been sent. */
const longestTail = 64
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type Loaded = { workspace: WorkspaceSnapshot; document: DocumentSnapshot }

/** Reads a document, its text and its workspace under the rights of who asks: 'signed-out', or null where there is nothing for them. */
export const loadDocument = cache(async (id: string): Promise<Loaded | 'signed-out' | null> => {
  const client = await pageClient()
  const who = await identity(client)
  if (!who) return 'signed-out'
  if (!uuid.test(id)) return null
  const row = await documentById(client, id)
  if (!row) return null
  const store = supabaseStore(client)
  const zone = (await cookies()).get(zoneCookie)?.value
  const clock = { now: Date.now(), zone: safeZone(zone) }
  const [workspace, snapshot] = await Promise.all([readWorkspace(client, row.workspaceId, who.userId, clock), readSnapshot(client, id)])
  if (!workspace) return null
  const reader = new LogReader(id, store, snapshot)
  const { rows } = await reader.read()
  const { confirmed } = reader
  const state = encodeStateAsUpdate(confirmed.doc)
  const owners = [...confirmed.owners]
  const schema = rows.reduce((highest, { type, schema: own }) => (type === 'document.edited' ? Math.max(highest, own) : highest), snapshot?.schema ?? 1)
  const { version } = confirmed
  if (rows.length > longestTail) {
    after(async () => {
      const service = serviceClient()
      if (service) await writeSnapshot(service, id, { version, state, owners, schema })
    })
  }
  const html = staticHtml(confirmed.doc.getXmlFragment('default'))
  const writers = [...new Set(owners.map(([, userId]) => userId))]
  return { workspace, document: { row, html, state: toBase64(state), version, owners, schema, writers } }
})

/** The time zone a cookie names, or UTC for anything that is none. */
function safeZone(zone: string | undefined): string {
  if (zone === undefined) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(zone) }).resolvedOptions().timeZone
  } catch {
    // A cookie is the browser's to write: what is no zone is none.
    return 'UTC'
  }
}

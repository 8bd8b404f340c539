import type { SupabaseClient } from '@supabase/supabase-js'
import { after } from 'next/server'
import type { GradedSnapshot } from '@/components/document/graded-page'
import type { GradedTalk } from '@/components/thread/graded-talk'
import { staticHtml } from '@/components/editor/static-html'
import { liveText } from '@/events/anchor/live-anchor'
import { placeOf } from '@/events/anchor/plain-place'
import { toBase64 } from '@/events/base64'
import { versionsOf, type DocumentRow } from '@/events/projections'
import { writeSnapshot } from '@/events/snapshot'
import { commentsOf, threadsOf } from '@/events/thread-rows'
import { plainCopy } from '@/events/yjs/plain-copy'
import { serviceClient } from '@/supabase/server'
import { foldFor, snapshotOf, type Folded } from './present'

/** A tail longer than this is folded into a new snapshot once the page has been sent; a named version always is. */
const longestTail = 64

/**
 * The present text with what is said about it, or that of a version with a name, for a reader who may not read the log: the
 * service folds it for them, and no state that says more than the text leaves the server. Without a service key there is no text.
 */
export async function loadGraded(client: SupabaseClient, row: DocumentRow, named: number | null): Promise<GradedSnapshot> {
  const versions = await versionsOf(client, row.id)
  const shown = versions.find(({ at }) => at === named) ?? null
  const service = serviceClient()
  if (!service) return { graded: true, row, html: null, version: row.version, versions, shown, talk: null }
  // The talk first: whatever it is about stands in the text that is read after it.
  const said = shown ? null : await Promise.all([threadsOf(client, row.id), commentsOf(client, row.id)])
  const folded = await foldFor(service, row.id, shown?.at ?? null)
  const { confirmed, rows } = folded
  const { version } = confirmed
  const head = rows.at(-1)?.hash
  if (head && rows.length > (shown ? 0 : longestTail)) {
    const kept = snapshotOf(folded)
    after(() => writeSnapshot(service, row.id, kept, { head, seen: Math.max(row.version, version) }))
  }
  const talk = said && talkOn(folded, row.version, ...said)
  return { graded: true, row, html: staticHtml(confirmed.doc.getXmlFragment('default')), version, versions, shown, talk }
}

/** What is said about a text, with places in the plain text in the stead of anchors, which name letters of the log. */
function talkOn({ confirmed }: Folded, version: number, threads: Awaited<ReturnType<typeof threadsOf>>, comments: GradedTalk['comments']): GradedTalk {
  const fragment = confirmed.doc.getXmlFragment('default')
  const text = liveText(fragment)
  const placed = threads.map(({ start, end, quote, ...told }) => ({ ...told, quote, place: placeOf({ start, end, quote }, text) }))
  return { version, state: toBase64(plainCopy(fragment)), threads: placed, comments }
}

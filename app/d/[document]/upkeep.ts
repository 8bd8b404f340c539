import { BrokenRecording } from '@/events/replay/recording'
import { sealHistory } from '@/events/segment/sealing'
import { serviceClient } from '@/supabase/server'

const busy = new Set<string>()
/** Logs that cannot be sealed: trying again reads all of them, and comes to the same. */
const broken = new Set<string>()

/** Seals what a document's log holds beyond its last segment, off the hot path and once at a time; who may read it must have been asked before. */
export async function sealLater(document: string): Promise<void> {
  const service = serviceClient()
  if (!service || busy.has(document) || broken.has(document)) return
  busy.add(document)
  try {
    await sealHistory(service, document)
  } catch (error) {
    if (!(error instanceof BrokenRecording)) throw error
    broken.add(document)
  } finally {
    busy.delete(document)
  }
}

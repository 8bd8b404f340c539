import { StoreFault } from '@/events/store'
import { serviceClient } from '@/supabase/server'
import { keepUp } from '../d/[document]/upkeep'

const everyMs = 10_000
const perRound = 8

/**
 * Keeps up the documents that appending has marked: their snapshots and segments. Answers how many those were; what went
 * wrong with some is thrown when all the others, whose marks are gone, have had their turn.
 */
export async function keepUpMarked(): Promise<number> {
  const service = serviceClient()
  if (!service) return 0
  const { data, error, status } = await service.rpc('take_upkeep', { max_count: perRound })
  if (error) throw new StoreFault(error.message, status)
  const marked: unknown[] = Array.isArray(data) ? data : []
  const faults: unknown[] = []
  for (const document of marked) if (typeof document === 'string') await keepUp(document, 'eager').catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults, `${faults.length} documents could not be kept up`)
  return marked.length
}

/** Keeps up whatever is marked, now and then, for as long as this process runs. */
export function keepUpAlways(): void {
  const round = async () => {
    try {
      // A full round is followed by the next at once.
      while ((await keepUpMarked()) === perRound);
    } catch (fault) {
      // What cannot be reached now is marked again when it has grown on; a page that is opened does the same work meanwhile.
      if (!(fault instanceof StoreFault && fault.retryable)) console.error(fault)
    }
    later()
  }
  const later = () => setTimeout(() => void round(), everyMs).unref()
  later()
}

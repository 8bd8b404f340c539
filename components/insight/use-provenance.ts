'use client'

import { useEffect, useMemo, useState } from 'react'
import { Provenance, provenanceOf } from '../../events/lineage/carriage'
import { type Attribution } from '../../events/lineage/lineage'
import { type Store } from '../../events/store'
import { type Timeline } from '../../events/replay/timeline'

type Source = Pick<Store, 'read'>
type Input = { timeline: Timeline | null; documentId: string; store: Source }
/** A stream from which something came, how far it had come, and by which versions of this one. */
type Wanted = { source: string; upTo: number; versions: readonly number[] }

/** A longer history is not read for the sake of names. */
const longestSource = 5_000

/** What the log of a source tells of what came from it; nothing where the reader may not read all of it. */
async function askSource(store: Source, documentId: string, { source, upTo, versions }: Wanted): Promise<Attribution[]> {
  if (upTo > longestSource) return []
  const [rows, { attributePayloads }, ...carrying] = await Promise.all([
    store.read(source, 0, upTo),
    import('../../events/lineage/lineage'),
    ...versions.map((version) => store.read(documentId, version - 1, 1)),
  ])
  if (rows.length < upTo || rows.some(({ version }, index) => version !== index + 1)) return []
  return attributePayloads(carrying.flat().flatMap(({ update }) => update ?? []), rows)
}

/** The sources of which this document's own log does not say who wrote there. */
function sourcesOf(timeline: Timeline): Wanted[] {
  const carriages = provenanceOf(timeline).carriages.filter(({ writers }) => writers.length === 0)
  return [...new Set(carriages.map(({ source }) => source))].map((source) => {
    const own = carriages.filter((carriage) => carriage.source === source)
    return { source, upTo: Math.max(...own.map(({ version }) => version)), versions: own.map(({ to }) => timeline.moment(to).version) }
  })
}

function useSources(timeline: Timeline | null): Wanted[] {
  const [kept, setKept] = useState<Wanted[]>([])
  const now = useMemo(() => (timeline ? sourcesOf(timeline) : []), [timeline])
  // A timeline is read anew with every pause in the writing; what came from elsewhere mostly stays what it was.
  if (JSON.stringify(now) === JSON.stringify(kept)) return kept
  setKept(now)
  return now
}

/** What of a document was written elsewhere; and by whom, as soon as the histories that tell it are read. */
export function useProvenance({ timeline, documentId, store }: Input): Provenance | null {
  const [told, setTold] = useState<Attribution[]>([])
  const sources = useSources(timeline)
  useEffect(() => {
    if (sources.length === 0) return
    let stopped = false
    // Where a history cannot be read, the page goes on saying that its writers are not known here.
    const asked = sources.map((wanted) => askSource(store, documentId, wanted).catch((): Attribution[] => []))
    void Promise.all(asked).then((all) => !stopped && setTold(all.flat()))
    return () => {
      stopped = true
    }
  }, [sources, documentId, store])
  return useMemo(() => timeline && new Provenance(timeline, told), [timeline, told])
}

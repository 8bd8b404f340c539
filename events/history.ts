import { type Ruled } from './envelope'
import { type Timeline, TimelineBuilder } from './timeline'

/** The part of a `Store` that reading a history needs. */
export type HistorySource = { read(stream: string, after: number, max?: number): Promise<Ruled[]> }

export type HistoryRequest = {
  source: HistorySource
  documentId: string
  signal: AbortSignal
  /** Told the last version that is in, after every page. */
  onProgress: (version: number) => void
}

const pageRows = 1000

/** Reads a document's whole stream, page by page, and opens it; the next page is fetched while one is taken in. */
export async function readTimeline({ source, documentId, signal, onProgress }: HistoryRequest): Promise<Timeline> {
  const builder = new TimelineBuilder()
  let rows = await source.read(documentId, 0, pageRows)
  while (rows.length > 0) {
    signal.throwIfAborted()
    const last = rows.at(-1)?.version ?? 0
    const next = rows.length < pageRows ? null : source.read(documentId, last, pageRows)
    // A page that fails is met by the await below; until then it must not count as unhandled.
    next?.catch(() => undefined)
    for (const row of rows) builder.add(row)
    onProgress(last)
    rows = next ? await next : []
  }
  signal.throwIfAborted()
  return builder.finish()
}

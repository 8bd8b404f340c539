import { type Timeline, TimelineBuilder, type TimelineRow } from './timeline'

/** The part of a `Store` that reading a history needs. */
export type HistorySource = { read(stream: string, after: number, max?: number): Promise<TimelineRow[]> }

export type HistoryRequest = {
  source: HistorySource
  documentId: string
  signal: AbortSignal
  /** Told the last version that is in, after every page. */
  onProgress: (version: number) => void
}

const pageRows = 1000

// Versions have no gaps, so it is known where a page begins before the page in front of it has come.
const pagesAtOnce = 3

/** Reads a document's whole stream and opens it, some pages at once; a page is taken in while the next are on their way. */
export async function readTimeline({ source, documentId, signal, onProgress }: HistoryRequest): Promise<Timeline> {
  const builder = new TimelineBuilder()
  const coming: Promise<TimelineRow[]>[] = []
  let after = 0
  const ask = () => {
    const page = source.read(documentId, after, pageRows)
    // A page that fails is met when its turn comes, or never, if the log ends before it.
    page.catch(() => undefined)
    coming.push(page)
    after += pageRows
  }
  while (coming.length < pagesAtOnce) ask()
  for (let page = coming.shift(); page; page = coming.shift()) {
    const rows = await page
    signal.throwIfAborted()
    if (rows.length === pageRows) ask()
    for (const row of rows) builder.add(row)
    const last = rows.at(-1)
    if (last) onProgress(last.version)
    if (rows.length < pageRows) break
  }
  return builder.finish()
}

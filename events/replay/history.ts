import { Recording } from './recording'
import { SegmentError } from '../segment/segment-columns'
import { readSegment } from '../segment/segment-reader'
import { type Timeline, TimelineBuilder, type TimelineRow } from './timeline'

/** The part of a `Store` that reading a history needs; with segments only what came after them is read from the log. */
export type HistorySource = {
  read(stream: string, after: number, max?: number): Promise<TimelineRow[]>
  segments?(stream: string, signal: AbortSignal): AsyncIterable<Uint8Array>
}

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

/**
 * A recording of the sealed part of a history, as far as there are segments; an empty one where there are none. What a
 * cache does wrong must not keep anybody from the log, so segments that cannot be read are as good as none.
 */
export async function sealedPart({ source, documentId, signal, onProgress }: HistoryRequest): Promise<Recording> {
  const recording = new Recording()
  try {
    for await (const bytes of source.segments?.(documentId, signal) ?? []) onProgress(readSegment(recording, bytes).to)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SegmentError || error instanceof TypeError)) throw error
    return new Recording()
  }
  recording.catchUp()
  return recording
}

/** The rows of a stream after a version, page by page, some pages at once. */
export async function* rowsAfter({ source, documentId, signal }: HistoryRequest, version: number): AsyncGenerator<TimelineRow[]> {
  const coming: Promise<TimelineRow[]>[] = []
  let after = version
  const ask = () => {
    const page = source.read(documentId, after, pageRows)
    // A page that fails is met when its turn comes, or never, if the log ends before it.
    page.catch(() => undefined)
    coming.push(page)
    after += pageRows
  }
  // Behind segments there is seldom more than a page.
  while (coming.length < (version === 0 ? pagesAtOnce : 1)) ask()
  for (let page = coming.shift(); page; page = coming.shift()) {
    const rows = await page
    signal.throwIfAborted()
    if (rows.length === pageRows) while (coming.length < pagesAtOnce) ask()
    yield rows
    if (rows.length < pageRows) return
  }
}

/** Reads a document's whole stream and opens it; a page is taken in while the next are on their way. */
export async function readTimeline(request: HistoryRequest): Promise<Timeline> {
  const recording = await sealedPart(request)
  const sealed = recording.moments.version
  const builder = new TimelineBuilder(recording)
  for await (const rows of rowsAfter(request, sealed)) {
    for (const row of rows) {
      // Segments say nothing of rows that have to be folded anew; then the log itself is read.
      if (!builder.add(row)) return readTimeline({ ...request, source: { read: request.source.read } })
    }
    const last = rows.at(-1)
    if (last) request.onProgress(last.version)
  }
  return builder.finish()
}

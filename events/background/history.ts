import { BackgroundLost } from './background'
import { type Deriver, deriverHere } from './deriver'
import { SegmentError } from '../segment/segment-columns'
import { type Timeline, timelineOf, type TimelineRow } from '../replay/timeline'

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
  /** Where the work is done; without it, here. */
  derive?: () => Deriver
  /** Told the beginning of the history, where the rest is still on its way when that can be shown. */
  onPart?: (timeline: Timeline) => void
}

const pageRows = 1000

// Versions have no gaps, so it is known where a page begins before the page in front of it has come.
const pagesAtOnce = 3

/** Opens the first segment on its own: what is under way is not held up by it, and goes before it. */
async function showPart({ signal, derive, onPart }: HistoryRequest, bytes: Uint8Array, rest: { came: boolean }): Promise<void> {
  if (!onPart) return
  const deriver = derive?.() ?? deriverHere()
  try {
    await deriver.segment(bytes)
    const part = timelineOf(await deriver.finish())
    if (!rest.came && !signal.aborted) onPart(part)
  } catch (error) {
    // What is read as a whole will say what is wrong with it.
    if (!(error instanceof Error)) throw error
  } finally {
    deriver.close()
  }
}

/**
 * Tells a deriver the sealed part of a history, as far as there are segments, and answers up to which version that is. What
 * a cache does wrong must not keep anybody from the log, so segments that cannot be read are as good as none.
 */
async function tellSealed(request: HistoryRequest, deriver: Deriver, rest: { came: boolean }): Promise<number> {
  const { source, documentId, signal, onProgress } = request
  const told: Promise<number | null>[] = []
  try {
    for await (const bytes of source.segments?.(documentId, signal) ?? []) {
      const reached = deriver.segment(bytes)
      reached.then((version) => version !== null && onProgress(version), () => undefined)
      if (told.length > 0) rest.came = true
      else reached.then(async (version) => void (version !== null && !rest.came && (await showPart(request, bytes, rest))), () => undefined)
      told.push(reached)
    }
    const last = (await Promise.all(told)).at(-1)
    if (last !== null) return last ?? 0
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SegmentError || error instanceof TypeError)) throw error
    await Promise.allSettled(told)
  }
  await deriver.beginAnew()
  return 0
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

/** Tells a deriver a document's whole history; a page is taken in while the next are on their way. */
async function tellHistory(request: HistoryRequest, deriver: Deriver): Promise<void> {
  const rest = { came: false }
  for await (const rows of rowsAfter(request, await tellSealed(request, deriver, rest))) {
    if (rows.length > 0) rest.came = true
    if (!(await deriver.rows(rows))) {
      // Segments say nothing of rows that have to be folded anew; then the log itself is read.
      await deriver.beginAnew()
      return tellHistory({ ...request, source: { read: request.source.read } }, deriver)
    }
    const last = rows.at(-1)
    if (last) request.onProgress(last.version)
  }
}

async function derived<T>(request: HistoryRequest, take: (deriver: Deriver) => Promise<T>): Promise<T> {
  const deriver = request.derive?.() ?? deriverHere()
  try {
    await tellHistory(request, deriver)
    request.signal.throwIfAborted()
    return await take(deriver)
  } catch (error) {
    if (!(error instanceof BackgroundLost)) throw error
    return await derived({ ...request, derive: deriverHere }, take)
  } finally {
    deriver.close()
  }
}

/** Reads a document's whole stream and opens it. */
export function readTimeline(request: HistoryRequest): Promise<Timeline> {
  return derived(request, async (deriver) => timelineOf(await deriver.finish()))
}

/** The same, with the newest state as one Yjs update. */
export function readWhole(request: HistoryRequest): Promise<{ timeline: Timeline; state: Uint8Array }> {
  return derived(request, async (deriver) => ({ timeline: timelineOf(await deriver.finish()), state: await deriver.state() }))
}

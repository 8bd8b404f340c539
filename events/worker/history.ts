import { BackgroundLost } from "./remote-jobs";
import { deriverHere } from "./deriver";
import type { Deriver } from "./deriver";
import { pageRows as longestPage } from "@/events/core/pages";
import { SegmentError } from "@/events/history/segments/segment-columns";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";

/**
 * The methods of a `Store` that reading a history needs. If segments exist, only the events after
 * them are read from the log.
 */
export type HistorySource = {
  read(stream: string, after: number, max?: number): Promise<TimelineRow[]>;
  segments?(stream: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
};

type HistoryRequest = {
  source: HistorySource;
  documentId: string;
  signal: AbortSignal;
  /** Reports the last version read, after every page. */
  onProgress: (version: number) => void;
  /** Creates the deriver. By default, it runs in the page. */
  derive?: () => Deriver;
  /**
   * Receives the beginning of the history while the rest is still loading, once it can be shown.
   */
  onPrefix?: (timeline: Timeline) => void;
  /** The number of rows per request. */
  pageRows?: number;
};

/** The methods that receive a history while it is read. */
export type HistoryFold = Pick<Deriver, "segment" | "beginAnew" | "rows"> &
  Partial<Pick<Deriver, "prefix">>;

// Versions have no gaps, so a page's start is known before the previous page has arrived.
const pagesAtOnce = 3;

/**
 * Shows the beginning of a history while the rest is loading: after the first segment, and again
 * whenever the amount has doubled. All prefixes together thus cost no more than the whole.
 */
class Beginning {
  private came = 0;
  private hasSegments = false;
  private requestedUpTo = 0;
  private shown = false;
  private readonly request: HistoryRequest;
  private readonly fold: HistoryFold;

  constructor(request: HistoryRequest, fold: HistoryFold) {
    this.request = request;
    this.fold = fold;
  }

  /** Counts a segment or page of the log that has arrived. Returns the new count. */
  more(): number {
    this.came += 1;
    return this.came;
  }

  /** Marks that no segment follows. */
  end(): void {
    this.hasSegments = true;
  }

  /**
   * Shows the history up to a version if no other work is waiting. Everything received up to this
   * version, as counted by `came`, must have been read.
   */
  async reached(version: number, came: number): Promise<void> {
    const { signal, onPrefix } = this.request;
    const alone = came === 1;
    if (
      !onPrefix ||
      !this.fold.prefix ||
      came !== this.came ||
      (this.hasSegments && !alone) ||
      version < this.requestedUpTo * 2
    )
      return;
    this.requestedUpTo = version;
    try {
      const data = await this.fold.prefix();
      // If more arrives at once, a first prefix is not worthwhile. Later prefixes are shown only
      // while segments are arriving.
      if (signal.aborted || (this.shown ? this.hasSegments : came !== this.came)) return;
      this.shown = true;
      onPrefix(timelineOf(data));
    } catch (error) {
      // Reading the whole history will report the error.
      if (!(error instanceof Error)) throw error;
    }
  }
}

/**
 * Passes a history's segments to a fold and returns the version that they reach. A cache must never
 * block access to the log, so unreadable segments count as missing.
 */
async function postSegments(
  { source, documentId, signal, onProgress }: HistoryRequest,
  fold: HistoryFold,
  beginning: Beginning,
): Promise<number> {
  const answers: Promise<number | null>[] = [];
  try {
    for await (const bytes of source.segments?.(documentId, signal) ?? []) {
      const came = beginning.more();
      const reached = fold.segment(bytes);
      reached.then(
        async (version) => {
          if (version === null) return;
          onProgress(version);
          await beginning.reached(version, came);
        },
        () => undefined,
      );
      answers.push(reached);
    }
    beginning.end();
    const last = (await Promise.all(answers)).at(-1);
    if (last !== null) return last ?? 0;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SegmentError || error instanceof TypeError)) throw error;
    await Promise.allSettled(answers);
  }
  await fold.beginAnew();
  return 0;
}

/** Yields a stream's rows after a version, page by page, with several requests in flight. */
export async function* rowsAfter(
  {
    source,
    documentId,
    signal,
    pageRows = longestPage,
  }: Pick<HistoryRequest, "source" | "documentId" | "signal" | "pageRows">,
  version: number,
  { atOnce = version === 0 ? pagesAtOnce : 1 } = {},
): AsyncGenerator<TimelineRow[]> {
  const coming: Promise<TimelineRow[]>[] = [];
  let after = version;
  const ask = () => {
    const page = source.read(documentId, after, pageRows);
    // A failed page is reported in its turn, or never if the log ends before it.
    page.catch(() => undefined);
    coming.push(page);
    after += pageRows;
  };
  // After segments, there is seldom more than one page.
  while (coming.length < atOnce) ask();
  for (let page = coming.shift(); page; page = coming.shift()) {
    const rows = await page;
    signal.throwIfAborted();
    if (rows.length === pageRows) while (coming.length < pagesAtOnce) ask();
    yield rows;
    if (rows.length < pageRows) return;
  }
}

/** Reads a document's whole history into a fold. A page is processed while the next ones load. */
export async function postHistory(request: HistoryRequest, fold: HistoryFold): Promise<void> {
  const beginning = new Beginning(request, fold);
  const segmented = await postSegments(request, fold, beginning);
  for await (const rows of rowsAfter(request, segmented)) {
    if (rows.length > 0) beginning.more();
    // Segments received just before a redaction still contain the redacted words.
    const outdated = segmented > 0 && rows.some(({ type }) => type === "document.redacted");
    if (outdated || !(await fold.rows(rows))) {
      // If rows have to be folded from the beginning, segments do not suffice, so the log itself is
      // read.
      await fold.beginAnew();
      return postHistory({ ...request, source: { read: request.source.read } }, fold);
    }
    const last = rows.at(-1);
    if (last) request.onProgress(last.version);
  }
}

async function derived<T>(
  request: HistoryRequest,
  take: (deriver: Deriver) => Promise<T>,
): Promise<T> {
  const deriver = request.derive?.() ?? deriverHere();
  try {
    await postHistory(request, deriver);
    request.signal.throwIfAborted();
    return await take(deriver);
  } catch (error) {
    if (!(error instanceof BackgroundLost)) throw error;
    return await derived({ ...request, derive: deriverHere }, take);
  } finally {
    deriver.close();
  }
}

/** A history that was read and can grow. Growing reads only later rows. */
export type GrowingTimeline = {
  timeline: Timeline;
  /** Reads the rows that were recorded since, and returns the timeline with them. */
  grow(): Promise<Timeline>;
  close(): void;
};

/** Reads a document's whole stream and keeps the fold open, so that later rows can be added. */
export async function growTimeline(request: HistoryRequest): Promise<GrowingTimeline> {
  const deriver = request.derive?.() ?? deriverHere();
  const log = { ...request, source: { read: request.source.read } };
  try {
    await postHistory(request, deriver);
    const timeline = timelineOf(await deriver.finish());
    let reached = timeline.version;
    let whole = true;
    const extend = async () => {
      for await (const rows of rowsAfter(log, reached, { atOnce: 1 })) {
        // Data read before a redaction still contains the redacted words.
        whole =
          !rows.some(({ type }) => type === "document.redacted") && (await deriver.rows(rows));
        if (!whole) return;
        reached += rows.length;
      }
    };
    return {
      timeline,
      grow: async () => {
        if (whole) await extend();
        if (!whole) {
          await deriver.beginAnew();
          await postHistory(log, deriver);
        }
        request.signal.throwIfAborted();
        const grown = timelineOf(await deriver.finish());
        [reached, whole] = [grown.version, true];
        return grown;
      },
      close: () => deriver.close(),
    };
  } catch (error) {
    deriver.close();
    if (!(error instanceof BackgroundLost)) throw error;
    return growTimeline({ ...request, derive: deriverHere });
  }
}

/** Reads a document's whole stream and opens its timeline. */
export function readTimeline(request: HistoryRequest): Promise<Timeline> {
  return derived(request, async (deriver) => timelineOf(await deriver.finish()));
}

/** Reads a document's timeline with its newest state as one Yjs update. */
export function readWhole(
  request: HistoryRequest,
): Promise<{ timeline: Timeline; state: Uint8Array }> {
  return derived(request, async (deriver) => ({
    timeline: timelineOf(await deriver.finish()),
    state: await deriver.state(),
  }));
}

import { BackgroundLost } from "./remote-jobs";
import { type Deriver, deriverHere } from "./deriver";
import { pageRows as longestPage } from "@/events/core/pages";
import { SegmentError } from "@/events/history/segments/segment-columns";
import { type Timeline, type TimelineRow } from "@/events/history/timeline/timeline";
import { timelineOf } from "@/events/history/timeline/timeline-builder";

/** The part of a `Store` that reading a history needs; with segments only what came after them is read from the log. */
export type HistorySource = {
  read(stream: string, after: number, max?: number): Promise<TimelineRow[]>;
  segments?(stream: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
};

type HistoryRequest = {
  source: HistorySource;
  documentId: string;
  signal: AbortSignal;
  /** Told the last version that is in, after every page. */
  onProgress: (version: number) => void;
  /** Where the work is done; without it, here. */
  derive?: () => Deriver;
  /** Told the beginning of the history, where the rest is still on its way when that can be shown. */
  onPrefix?: (timeline: Timeline) => void;
  /** So many rows are read at once. */
  pageRows?: number;
};

/** What a history is read into. */
export type HistoryFold = Pick<Deriver, "segment" | "beginAnew" | "rows"> &
  Partial<Pick<Deriver, "prefix">>;

// Versions have no gaps, so it is known where a page begins before the page in front of it has come.
const pagesAtOnce = 3;

/**
 * Shows the beginning of a history while the rest is on its way: as soon as the first segment is
 * in, and again whenever as much has come once more, so that all beginnings together cost no more
 * than the whole.
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

  /** The next segment, or page of the log, is here. */
  more(): number {
    this.came += 1;
    return this.came;
  }

  /** No segment follows. */
  end(): void {
    this.hasSegments = true;
  }

  /** All that had come, and reaches up to a version, is in: time to show it, if nothing else is to be done. */
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
      // What is right behind it makes a first glance not worth the while; who has had one wants the next.
      if (signal.aborted || (this.shown ? this.hasSegments : came !== this.came)) return;
      this.shown = true;
      onPrefix(timelineOf(data));
    } catch (error) {
      // What is read as a whole will say what is wrong with it.
      if (!(error instanceof Error)) throw error;
    }
  }
}

/**
 * Gives a fold the segments of a history, as far as there are segments, and answers up to
 * which version that is. What a cache does wrong must not keep anybody from the log, so segments
 * that cannot be read are as good as none.
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

/** The rows of a stream after a version, page by page, some pages at once. */
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
    // A page that fails is met when its turn comes, or never, if the log ends before it.
    page.catch(() => undefined);
    coming.push(page);
    after += pageRows;
  };
  // Behind segments there is seldom more than a page.
  while (coming.length < atOnce) ask();
  for (let page = coming.shift(); page; page = coming.shift()) {
    const rows = await page;
    signal.throwIfAborted();
    if (rows.length === pageRows) while (coming.length < pagesAtOnce) ask();
    yield rows;
    if (rows.length < pageRows) return;
  }
}

/** Reads a document's whole history into a fold; a page is taken in while the next are on their way. */
export async function postHistory(request: HistoryRequest, fold: HistoryFold): Promise<void> {
  const beginning = new Beginning(request, fold);
  const segmented = await postSegments(request, fold, beginning);
  for await (const rows of rowsAfter(request, segmented)) {
    if (rows.length > 0) beginning.more();
    // Segments have the words that were redacted right after they came.
    const outdated = segmented > 0 && rows.some(({ type }) => type === "document.redacted");
    if (outdated || !(await fold.rows(rows))) {
      // Segments say nothing of rows that have to be folded anew; then the log itself is read.
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

/** A history that has been read and goes on: what is recorded later is all that is read of it then. */
export type GrowingTimeline = {
  timeline: Timeline;
  /** Reads what was recorded since, and answers the timeline with it. */
  grow(): Promise<Timeline>;
  close(): void;
};

/** Reads a document's whole stream and keeps it open, so that it can grow by what is recorded later. */
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
        // What was read before a redaction still has the words.
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

/** Reads a document's whole stream and opens it. */
export function readTimeline(request: HistoryRequest): Promise<Timeline> {
  return derived(request, async (deriver) => timelineOf(await deriver.finish()));
}

/** The same, with the newest state as one Yjs update. */
export function readWhole(
  request: HistoryRequest,
): Promise<{ timeline: Timeline; state: Uint8Array }> {
  return derived(request, async (deriver) => ({
    timeline: timelineOf(await deriver.finish()),
    state: await deriver.state(),
  }));
}
